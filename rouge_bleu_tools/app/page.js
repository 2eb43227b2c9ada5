// Scores of a link are shown when all of its settings are there.
if (location.search) document.documentElement.classList.add("linked");
function showLinked() {
  // Not as an output of an event: Gradio would copy all components of all tabs in each later one.
  document.querySelector(`[role=tab][data-tab-id="${CSS.escape(query.get("tab"))}"]`)?.click();
  document.querySelector("#spoken").role = "status";  // a screen reader says what changes in it
  setTimeout(() => document.documentElement.classList.remove("linked"), 300);
}

// Scores are dimmed while the server does not answer.
const ask = window.fetch, isDead = (is) => document.documentElement.classList.toggle("dead", is);
window.fetch = async (...given) => {
  const answer = await ask(...given).catch((error) => {
    if (error.name != "AbortError") isDead(true);
    throw error;
  });
  isDead(answer.status > 499);
  return answer;
};

// In each event Gradio copies each cell of the table with this function, slow for texts and numbers.
const clone = window.structuredClone;
window.structuredClone = (one, options) => (Object(one) === one ? clone(one, options) : one);

// A click on a tile chooses its measure in the list, which is there for the keyboard.
document.addEventListener("click", (event) => {
  const tile = event.target.closest("#tiles [data-measure]");
  if (tile) document.querySelector(`#measure input[value="${tile.dataset.measure}"]`)?.click();
});

// The words of a run are outlined together, in texts and drawings.
document.addEventListener("pointerover", (event) => {
  const run = event.target.closest("[data-run]"), system = run?.closest("section");
  document.querySelectorAll(".over").forEach((one) => one.classList.remove("over"));
  for (const one of document.querySelectorAll(`[data-run="${run?.dataset.run}"]`))
    if (one.closest("section") == system) one.classList.add("over");
});

function copyLink(query) {
  if (!query) return;
  const link = location.origin + location.pathname + query;
  const copied = navigator.clipboard?.writeText(link) ?? Promise.reject();
  copied.catch(() => window.prompt("Copy:", link));
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
  const words = document.querySelector("#words .html-container");
  words.classList.add("whole");
  const origin = words.getBoundingClientRect(), width = origin.width + 32, height = origin.height + 60;
  const made = (name, attributes, text = "") => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    one.textContent = text;
    return one;
  };
  const viewBox = `0 0 ${width} ${height}`, {fontFamily} = getComputedStyle(words);
  const svg = made("svg", {width, height, viewBox, "font-family": fontFamily});
  const draw = (name, {left, top}, attributes, text) =>
    svg.append(made(name, {x: left - origin.left + 16, y: top - origin.top + 16, ...attributes}, text));
  const write = (text, {left, top, width, height}, style, size = style.fontSize) => {
    const fitted = width ? {textLength: width, lengthAdjust: "spacingAndGlyphs"} : {};
    const looks = {fill: style.color, "font-size": size, "font-weight": style.fontWeight, ...fitted};
    draw("text", {left, top: top + 0.78 * height}, looks, text);
  };
  const paper = {width, height, fill: getComputedStyle(document.body).backgroundColor};
  draw("rect", {left: origin.left - 16, top: origin.top - 16}, paper);
  for (const one of words.querySelectorAll("mark, .best")) {
    const boxes = one.getClientRects(), style = getComputedStyle(one), {top, left, right, height} = boxes[0];
    for (const {left, top, width, height} of boxes)
      draw("rect", {left, top}, {width, height, rx: 3, fill: style.backgroundColor});
    const start = style.direction == "rtl" ? right - 8 : left + 2;
    if (one.dataset.run) write(one.dataset.run, {left: start, top: top - 4, height}, style, "9px");
  }
  const nodes = document.createTreeWalker(words, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (nodes.nextNode()) {
    const node = nodes.currentNode, style = getComputedStyle(node.parentElement);
    const place = (start, part) => {
      range.setStart(node, start);
      range.setEnd(node, start + part.length);
      const lines = [...range.getClientRects()].filter((line) => line.width);
      if (lines.length == 1) write(part, lines[0], style);
      else if (lines.length)  // it goes on in another line
        for (const letter of part) { place(start, letter); start += letter.length; }
    };
    for (const {0: part, index} of node.data.matchAll(/\S+/g)) place(index, part);
  }
  const signed = `${document.querySelector("#intro h1").innerText}, ${location.host}`;
  const end = {left: origin.left, top: origin.bottom + 8, height: 16};
  write(signed, end, getComputedStyle(words.querySelector(".legend")));
  words.classList.remove("whole");
  const link = document.createElement("a"), source = new XMLSerializer().serializeToString(svg);
  link.href = URL.createObjectURL(new Blob([source], {type: "image/svg+xml"}));
  link.download = `${document.querySelector(".tile.chosen .name").innerText}.svg`;
  link.click();
}
