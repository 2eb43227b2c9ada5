"""What the browser does by itself: partners of marked words, code that is copied.

It reads attributes that `html_parts.py` writes, and shows texts as text only.
"""

from __future__ import annotations

# Run once, when the page is there. It listens to the whole page, so that marks that come
# later are heard too.
SCRIPT = """() => {
  const markOf = (event) => event.target.closest?.("mark[data-match]");
  const pairOf = (mark) => mark.closest(".page-pair");
  const partnersOf = (mark) =>
    [...pairOf(mark).querySelectorAll(`mark[data-match="${mark.dataset.match}"]`)]
      .filter((other) => textOf(other) !== textOf(mark));
  const textOf = (mark) => mark.closest(".page-text");
  const labelOf = (mark) => textOf(mark).querySelector(".page-label").textContent;
  const noteOf = (pair) =>
    pair.closest("[id$=explanation]").querySelector(".page-partners");

  function clear() {
    document.querySelectorAll("mark.page-partner")
      .forEach((mark) => mark.classList.remove("page-partner"));
  }
  function show(mark) {
    clear();
    const partners = partnersOf(mark);
    [mark, ...partners].forEach((one) => one.classList.add("page-partner"));
    const matches = partners.map((one) => `“${one.textContent}” (${labelOf(one)})`);
    const note = noteOf(pairOf(mark));
    if (note && matches.length)
      note.textContent = `“${mark.textContent}” matches ${matches.join(" and ")}`;
  }
  function focusOn(mark) {
    textOf(mark).querySelectorAll("mark[data-match]")
      .forEach((one) => { one.tabIndex = one === mark ? 0 : -1; });
    mark.focus();
  }
  function move(mark, key) {
    const marks = [...textOf(mark).querySelectorAll("mark[data-match]")];
    const place = marks.indexOf(mark);
    const isRightToLeft = getComputedStyle(mark).direction === "rtl";
    const next = isRightToLeft ? "ArrowLeft" : "ArrowRight";
    const back = isRightToLeft ? "ArrowRight" : "ArrowLeft";
    if (key === next) return marks[place + 1];
    if (key === back) return marks[place - 1];
    if (key === "Home") return marks[0];
    if (key === "End") return marks[marks.length - 1];
    if (key === "ArrowUp" || key === "ArrowDown") return partnersOf(mark)[0];
  }
  for (const name of ["pointerover", "focusin"])
    document.addEventListener(name, (event) => {
      const mark = markOf(event);
      if (mark) show(mark);
    });
  for (const name of ["pointerout", "focusout"])
    document.addEventListener(name, (event) => { if (markOf(event)) clear(); });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".page-copy");
    if (!button) return;
    const code = button.closest(".page-code-block").querySelector("code");
    navigator.clipboard.writeText(code.textContent).then(() => {
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  });
  document.addEventListener("keydown", (event) => {
    const mark = markOf(event);
    const other = mark && move(mark, event.key);
    if (!other) return;
    event.preventDefault();
    focusOn(other);
  });
}"""
