"""The look of the page: system fonts, calm colours, and the parts of `html_parts.py`.

Each colour stands on its background with a contrast of at least 4.5 in light and dark.
"""

from __future__ import annotations

import gradio as gr

_SANS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def theme() -> gr.themes.Base:
    """Return a theme whose fonts are those of the system: none is fetched."""
    return gr.themes.Default(
        primary_hue="blue",
        secondary_hue="blue",
        neutral_hue="slate",
        font=_SANS,
        font_mono=_MONO,
        radius_size="md",
    ).set(
        button_primary_background_fill="#1d4ed8",
        button_primary_background_fill_hover="#1e40af",
        button_primary_background_fill_dark="#1d4ed8",
        button_primary_background_fill_hover_dark="#1e40af",
        button_primary_text_color="white",
        button_primary_text_color_dark="white",
        block_label_text_color="#334155",
        block_label_text_color_dark="#e2e8f0",
        block_title_text_color="#1e293b",
        block_title_text_color_dark="#e2e8f0",
        block_info_text_color="#475569",
        block_info_text_color_dark="#cbd5e1",
        body_text_color_subdued="#475569",
        body_text_color_subdued_dark="#cbd5e1",
        input_placeholder_color="#64748b",
        input_placeholder_color_dark="#94a3b8",
        checkbox_border_color="#64748b",
        checkbox_border_color_dark="#94a3b8",
        link_text_color="#1d4ed8",
        link_text_color_dark="#93c5fd",
    )


CSS = """
.gradio-container { width: 100%; max-width: 1100px !important; margin: 0 auto !important; }
:root {
  --page-text: #1e293b; --page-quiet: #475569; --page-line: #cbd5e1; --page-plain: #ffffff;
  --page-mark: #fde68a; --page-mark-text: #1e293b; --page-mark-line: #92400e;
  --page-track: #e2e8f0; --page-1: #2563eb; --page-dim: #94a3b8; --page-down: #c2410c;
  --page-code-1: #1d4ed8; --page-code-2: #15803d; --page-code-3: #9a3412;
  --page-run-1: #bfdbfe; --page-run-1-line: #1d4ed8; --page-run-2: #bbf7d0; --page-run-2-line: #15803d;
  --page-run-3: #fbcfe8; --page-run-3-line: #be185d;
  --page-error: #fef2f2; --page-error-text: #991b1b;
  --page-warning: #fffbeb; --page-warning-text: #78350f;
}
.dark {
  --page-text: #e2e8f0; --page-quiet: #cbd5e1; --page-line: #475569; --page-plain: #0f172a;
  --page-mark: #854d0e; --page-mark-text: #ffffff; --page-mark-line: #fde68a;
  --page-track: #334155; --page-1: #60a5fa; --page-dim: #64748b; --page-down: #fb923c;
  --page-code-1: #93c5fd; --page-code-2: #86efac; --page-code-3: #fdba74;
  --page-run-1: #1e40af; --page-run-1-line: #bfdbfe; --page-run-2: #166534; --page-run-2-line: #bbf7d0;
  --page-run-3: #9d174d; --page-run-3-line: #fbcfe8;
  --page-error: #450a0a; --page-error-text: #fecaca;
  --page-warning: #422006; --page-warning-text: #fde68a;
}
/* Not below, where Gradio puts rules of screens of some width on the content only. */
.gradio-container .main { padding-inline: clamp(14px, 5vw - 6px, 32px) !important; }
.page-table { border-collapse: collapse; width: 100%; color: var(--page-text); font-size: 0.95rem; }
.page-table, .page-table tr, .page-table thead, .page-table tbody { border: none !important; }
.page-table caption {
  text-align: start;
  padding: 0 0 6px;
  color: var(--page-quiet);
  font-size: 0.85rem;
}
.page-table th, .page-table td {
  padding: 6px 10px;
  border: none !important;
  border-bottom: 1px solid var(--page-line) !important;
  text-align: right !important;
  vertical-align: top;
}
.page-table th:first-child, .page-table td.text { text-align: start !important; }
.page-table thead th { color: var(--page-quiet); font-weight: 600; }
.page-table tbody th { font-weight: 600; }
.page-table td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.page-table td.text { overflow-wrap: anywhere; }
.page-scroll { overflow-x: auto; }
.page-scroll:focus-visible, .page-pair:focus-visible, details summary:focus-visible {
  outline: 2px solid var(--page-1);
  outline-offset: 2px;
}
.page-figure { margin: 0; color: var(--page-text); }
.page-figure figcaption { color: var(--page-quiet); font-size: 0.85rem; padding-bottom: 6px; }
.page-scores th, .page-scores td { padding: 5px 8px; }
.page-scores caption { position: absolute; clip-path: inset(50%); }
.page-scores { table-layout: fixed; }
.page-scores thead th:first-child { width: 31%; }
.page-scores .page-name { white-space: nowrap; }
.page-scores-bleu thead th:first-child { width: 40%; }
.page-scores-bleu .page-name { white-space: normal; }
.page-scores thead th:not(:first-child) { text-align: start !important; }
.page-scores td { text-align: start !important; font-variant-numeric: tabular-nums; }
.page-meaning {
  display: block;
  font-weight: 400;
  font-size: 0.8rem;
  color: var(--page-quiet);
  line-height: 1.15rem;
}
.page-score { display: block; color: var(--page-quiet); }
.page-score.page-first { font-size: 1.25rem; font-weight: 700; color: var(--page-text); }
.page-bar {
  display: block;
  height: 6px;
  max-width: 220px;
  margin: 3px 0 4px;
  background: var(--page-track);
  border-radius: 3px;
  overflow: hidden;
}
.page-bar > span { display: block; height: 100%; background: var(--page-dim); border-radius: 3px; }
.page-bar.page-first > span { background: var(--page-1); }
.page-scores-bleu .page-bar { max-width: 480px; }
.page-interval { display: block; font-size: 0.78rem; color: var(--page-quiet); white-space: nowrap; }
.page-scores-compared { margin-top: 10px; }
.page-scores-compared thead th { overflow-wrap: anywhere; }
#file-sample, #settings-sample { align-self: flex-start; width: auto; }
.page-phone { display: none; }
.page-quiet { color: var(--page-quiet); }
/* The switch "Scale": its first choice shows scores times 100, its second from 0 to 1. */
.gradio-container:not(:has(#options-scale label:last-of-type input:checked)) .page-one,
.gradio-container:has(#options-scale label:last-of-type input:checked) .page-hundred {
  display: none;
}
/* What has no effect on a tab is not shown there. */
.gradio-container:has(#tab-settings-button[aria-selected="true"]) :is(#choices, #options),
.gradio-container:has(#tab-use-button[aria-selected="true"]) #options-scale {
  display: none !important;
}
.page-histogram { display: flex; align-items: stretch; gap: 2px; height: 170px; }
.page-column {
  flex: 1;
  min-width: 0;
  display: flex;
  flex-direction: column;
  justify-content: flex-end;
  align-items: center;
}
.page-column-fill {
  width: 100%;
  background: var(--page-1);
  border-radius: 2px 2px 0 0;
  flex: none;
  height: calc(var(--share) * (100% - 2.4rem));  /* beside the count and the name */
}
.page-column-count, .page-column-name {
  font-size: 0.7rem;
  line-height: 1.2rem;
  color: var(--page-quiet);
  font-variant-numeric: tabular-nums;
}
.page-column-name { border-top: 1px solid var(--page-line); width: 100%; text-align: start; }
.page-differences {
  display: flex;
  gap: 1px;
  height: 150px;
  align-items: stretch;
}
.page-figure + .page-figure { margin-top: 18px; }
.page-axis {
  display: flex;
  flex-direction: column;
  justify-content: space-between;
  flex: none;
  width: 3.4rem;
  font-size: 0.72rem;
  color: var(--page-quiet);
}
.page-difference {
  flex: 1;
  position: relative;
  min-width: 1px;
  background: linear-gradient(var(--page-line), var(--page-line)) center / 100% 1px no-repeat;
}
.page-difference::after {
  content: "";
  position: absolute;
  left: 0;
  right: 0;
  height: calc(var(--share) * 50%);
  background: var(--page-1);
}
.page-difference.page-up::after { bottom: 50%; }
.page-difference.page-down::after { top: 50%; background: var(--page-down); }
.page-spoken {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.page-pair {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr));
  gap: 12px;
  margin: 4px 0 10px;
}
.page-text {
  border: 1px solid var(--page-line);
  border-radius: 8px;
  padding: 10px 12px;
  color: var(--page-text);
  background: var(--page-plain);
  min-width: 0;
}
.page-text.page-chosen { border: 2px solid var(--page-1); padding: 9px 11px; }
.page-label { font-size: 0.85rem; color: var(--page-quiet); padding-bottom: 4px; font-weight: 600; }
.page-words {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  line-height: 1.75;
  max-height: 22rem;
  overflow-y: auto;
}
.page-words mark {
  background: var(--page-mark);
  color: var(--page-mark-text);
  border-bottom: 2px solid var(--page-mark-line);
  border-radius: 3px;
  padding: 1px 2px;
}
.page-words mark[data-match] { cursor: pointer; }
.page-words mark.page-run-1 { background: var(--page-run-1); border-color: var(--page-run-1-line); }
.page-words mark.page-run-2 { background: var(--page-run-2); border-color: var(--page-run-2-line); }
.page-words mark.page-run-3 { background: var(--page-run-3); border-color: var(--page-run-3-line); }
.page-words mark[data-run]::before {
  content: attr(data-run);
  font-size: 0.65rem;
  vertical-align: super;
  margin-inline-end: 2px;
}
.page-words mark.page-partner { outline: 2px solid var(--page-1); outline-offset: 1px; }
.page-partners { font-size: 0.9rem; min-height: 1.5rem; }
.page-steps { margin: 0 0 10px; padding: 0; list-style: none; color: var(--page-text); }
.page-steps li {
  padding: 3px 0;
  margin: 0;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
.gradio-container textarea { unicode-bidi: plaintext; text-align: start; }
.page-note { color: var(--page-quiet); margin: 4px 0 10px; }
.page-message {
  border-radius: 8px;
  padding: 10px 14px;
  border: 1px solid currentColor;
  overflow-wrap: anywhere;
}
.page-message p { margin: 0; color: inherit; } .page-message p + p { margin-top: 6px; }
.page-error { background: var(--page-error); color: var(--page-error-text); }
.page-warning { background: var(--page-warning); color: var(--page-warning-text); }
.page-progress label { display: block; color: var(--page-text); }
.page-progress progress {
  width: 100%;
  height: 12px;
  display: block;
  margin-top: 4px;
  accent-color: var(--page-1);
}
/* "Stop" is there as long as something runs; scores are dimmed that are of other choices. */
.gradio-container:not(:has(#file-progress progress)) #file-stop,
.gradio-container:not(:has(#settings-progress progress)) #settings-stop {
  display: none !important;
}
#file-results:has(#file-old .prose:not(:empty)) > :not(#file-old) { filter: grayscale(1); opacity: 0.85; }
#file-old .prose:not(:empty) {
  padding: 8px 12px;
  border-radius: 8px;
  background: var(--page-warning);
  color: var(--page-warning-text);
}
details { color: var(--page-text); margin: 6px 0; }
details summary { cursor: pointer; padding: 4px 0; }
.page-code {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  font-family: var(--font-mono);
  font-size: 0.85rem;
  color: var(--page-text);
}
.page-heading { color: var(--page-text); font-weight: 600; margin: 4px 0; }
.page-settings td.number { white-space: normal !important; min-width: 7rem; }
.page-code-block { border: 1px solid var(--page-line); border-radius: 8px; background: var(--page-plain); }
.page-code-head { display: flex; justify-content: space-between; align-items: center; padding: 6px 12px; }
.page-code-head .page-label { padding: 0; }
.page-copy {
  padding: 3px 12px;
  border: 1px solid var(--page-line);
  border-radius: 6px;
  color: var(--page-text);
  font-size: 0.85rem;
}
.page-code-block pre {
  margin: 0;
  padding: 10px 12px;
  overflow-x: auto;
  border-top: 1px solid var(--page-line);
  font-size: 0.82rem;
  line-height: 1.45;
  background: none;
}
.page-code-block pre code { white-space: pre; color: var(--page-text); font-family: var(--font-mono); }
.code-keyword { color: var(--page-code-1); font-weight: 600; }
.code-string { color: var(--page-code-2); }
.code-number { color: var(--page-code-3); }
.code-comment { color: var(--page-quiet); font-style: italic; }
.page-note p { margin: 0; }
button[role="tab"][aria-selected="true"] { color: var(--page-1) !important; }
#code-card pre { white-space: pre-wrap; overflow-wrap: anywhere; }
#code-card pre code, #code-card .token { color: var(--page-text) !important; white-space: pre-wrap; }
.page-intro p { margin: 0; }
.block.page-note, .prose.page-note { margin: 0; }
.page-close { gap: 4px; }
#choices > .form { flex-direction: row; flex-wrap: wrap; }
:is(#options-metric, #options-scale) { display: flex; align-items: center; gap: 12px; }
:is(#options-metric, #options-scale) > span { margin: 0; }
.page-types .wrap { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
#try-examples { display: grid; grid-template-columns: repeat(6, 1fr); gap: 8px; }
footer .divider { display: none; }
:is([id^="try-"], [id^="file-"], [id^="settings-"], [id^="code-"]):has(
  > .html-container > .prose:empty
) {
  display: none !important;
}
.gradio-container :focus-visible { outline: 2px solid var(--page-1) !important; outline-offset: 2px; }
#code-card :is(td, th, :not(pre) > code, a) {
  white-space: normal;
  overflow-wrap: anywhere;
  word-break: normal;
}
#code-card pre { overflow: visible; }
@media (max-width: 520px) {
  .tab-container button { padding: 0 6px !important; font-size: 0.85rem !important; }
  .page-intro h1 { font-size: 1.4rem; line-height: 1.75rem; margin: 0 0 4px; }
  :is(#options-metric, #options-scale) { gap: 8px; padding: 8px 10px !important; }
  :is(#options-metric, #options-scale) > span { min-width: 3rem; }
  :is(#choices, #options .row, #settings-texts) > .form > * { min-width: 100% !important; }
  .page-settings thead { display: none; }
  .page-settings :is(tbody, tr, td) { display: block; text-align: start !important; }
  .page-settings td.text { border: none !important; padding-bottom: 0; }
  .page-settings td.number::before { content: "Gives "; color: var(--page-quiet); }
  .html-container { padding-inline: 6px !important; }
  #try-examples { grid-template-columns: repeat(3, 1fr); }
  .page-column:not(:nth-child(4n+1)) .page-column-name { color: transparent; }
  .page-table th, .page-table td { padding: 6px 6px; }
  .page-scores { font-size: 0.9rem; }
  .page-scores th, .page-scores td { padding: 4px !important; }
  .page-scores thead th { font-size: 0.8rem; }
  .page-scores thead th:first-child { width: 28%; }
  .page-scores:not(.page-scores-bleu) .page-name { font-size: 0.8rem; }
  .page-scores .page-meaning { display: none; }
  .page-interval { font-size: 0.68rem; letter-spacing: -0.01em; }
  .page-scores-compared th:last-child, .page-scores-compared td:last-child,
  .page-scores-compared td:nth-child(-n + 3) .page-interval { display: none; }
  .page-scores-compared .page-interval { white-space: normal; }
  .page-phone { display: block; font-size: 0.75rem; color: var(--page-quiet); }
  #file-items .wrap { display: grid; grid-template-columns: 1fr 1fr; }
}
"""
