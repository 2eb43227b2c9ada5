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
