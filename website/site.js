// The theme makes a landmark of every copy button, and tables that no key scrolls.
function mend() {
  for (const bar of document.querySelectorAll("nav.md-code__nav")) bar.role = "none"
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0
}

new MutationObserver(mend).observe(document.body, { childList: true, subtree: true })
mend()
