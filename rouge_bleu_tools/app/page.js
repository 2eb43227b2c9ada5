// Scores of a link are shown when all of its settings are there.
if (location.search) document.documentElement.classList.add("linked");
function showLinked() {
  setTimeout(() => document.documentElement.classList.remove("linked"), 300);
}

// Scores are dimmed while the server does not answer.
const ask = window.fetch;
window.fetch = (...given) => ask(...given).then(
  (answer) => {
    document.documentElement.classList.toggle("dead", answer.status > 499);
    return answer;
  },
  (error) => {
    if (error.name != "AbortError") document.documentElement.classList.add("dead");
    throw error;
  });

// A click on a tile chooses its measure in the list, which is there for the keyboard.
document.addEventListener("click", (event) => {
  const tile = event.target.closest("#tiles [data-measure]");
  if (tile) document.querySelector(`#measure input[value="${tile.dataset.measure}"]`)?.click();
});

// The words of a run are outlined together, in texts and drawings.
document.addEventListener("pointerover", (event) => {
  const run = event.target.closest("[data-run]"), place = run?.closest("#file-words, #results");
  document.querySelectorAll(".over").forEach((one) => one.classList.remove("over"));
  place?.querySelectorAll(`[data-run="${run.dataset.run}"]`).forEach(
    (one) => one.classList.add("over"));
});

function copyText(text) {
  if (!text) return;
  if (text.startsWith("?")) text = location.origin + location.pathname + text;
  const show = () => window.prompt("Copy:", text);
  if (navigator.clipboard) navigator.clipboard.writeText(text).catch(show); else show();
}

// For a frame in another page: texts, scores, words, and a link to all of the page.
const query = new URLSearchParams(location.search);
if (query.has("embed")) document.documentElement.classList.add("embed");
document.addEventListener("click", (event) => {
  const link = event.target.closest("#whole a");
  query.delete("embed");
  if (link) link.href = `${location.pathname}?${query}`;
});

// The words as the browser has set them, as a file of SVG that needs neither the page nor its fonts.
function savePicture() {
  const words = document.querySelector("#words .html-container"), escaped = document.createElement("i");
  words.classList.add("whole");
  const box = words.getBoundingClientRect(), colour = (one, name) => getComputedStyle(one)[name];
  const at = (of) => `x="${(of.left - box.left + 16).toFixed(1)}" y="${
    (of.top - box.top + 16 + 0.78 * of.height * (of.isText || 0)).toFixed(1)}"`;
  const rect = (of, fill) => `<rect ${at(of)} width="${of.width.toFixed(1)}" height="${
    of.height.toFixed(1)}" rx="3" fill="${fill}"/>`;
  const write = (text, of, style, size) => {
    escaped.textContent = text;
    const width = of.width ? ` textLength="${of.width.toFixed(1)}" lengthAdjust="spacingAndGlyphs"` : "";
    return `<text ${at({left: of.left, top: of.top, height: of.height, isText: 1})} fill="${style.color}"`
      + ` font-size="${size || style.fontSize}" font-weight="${style.fontWeight}"${width}>${escaped.innerHTML}</text>`;
  };
  let marks = "", texts = "";
  for (const one of words.querySelectorAll("mark, .best")) {
    for (const part of one.getClientRects()) marks += rect(part, colour(one, "backgroundColor"));
    const {left, right, top, height} = one.getClientRects()[0], style = getComputedStyle(one);
    const start = style.direction == "rtl" ? right - 8 : left + 2;
    if (one.dataset.run) texts += write(one.dataset.run, {left: start, top: top - 4, height}, style, "9px");
  }
  const nodes = document.createTreeWalker(words, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const style = getComputedStyle(node.parentElement);
    const draw = (start, part) => {
      range.setStart(node, start);
      range.setEnd(node, start + part.length);
      const lines = [...range.getClientRects()].filter((of) => of.width);
      if (lines.length == 1) texts += write(part, lines[0], style);
      else if (lines.length) {  // it goes on in another line
        let place = start;
        for (const letter of part) { draw(place, letter); place += letter.length; }
      }
    };
    for (const {0: part, index} of node.data.matchAll(/\S+/g)) draw(index, part);
  }
  const width = box.width + 32, height = box.height + 60, page = document.querySelector("#intro h1").innerText;
  const end = {left: box.left, top: box.bottom + 8, height: 16};
  texts += write(`${page}, ${location.host}`, end, getComputedStyle(words.querySelector(".legend")));
  words.classList.remove("whole");
  const font = colour(words, "fontFamily").replaceAll('"', "'");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
    + ` font-family="${font}"><rect width="100%" height="100%" fill="${colour(document.body, "backgroundColor")}"/>${marks}${texts}</svg>`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
  link.download = `${document.querySelector(".tile.chosen .name").innerText}.svg`;
  link.click();
}
