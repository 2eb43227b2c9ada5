// Examples: a few at first, more on request; filtered by text, in the chosen order.
for (const list of document.querySelectorAll(".examples")) {
  const tools = list.previousElementSibling, more = list.nextElementSibling;
  const [filter, order] = tools.querySelectorAll("input, select"), status = tools.querySelector("output");
  const articles = [...list.children], texts = articles.map((one) => one.textContent.toLowerCase());
  const orders = {
    gain: (one, other) => other.dataset.change - one.dataset.change,
    loss: (one, other) => one.dataset.change - other.dataset.change,
    lowest: (one, other) => one.dataset.score - other.dataset.score,
    file: (one, other) => one.id.split("-").pop() - other.id.split("-").pop(),
  };
  let most = 20;
  const show = () => {
    const wanted = filter.value.toLowerCase();
    const found = new Set(articles.filter((_, i) => texts[i].includes(wanted)));
    let shown = 0;
    for (const one of list.children) one.hidden = !found.has(one) || ++shown > most;
    status.textContent = `${Math.min(found.size, most)} of ${found.size} shown`;
    more.hidden = found.size <= most;
  };
  filter.addEventListener("input", show);
  order.addEventListener("change", () => {
    list.append(...[...articles].sort(orders[order.value]));
    show();
  });
  more.addEventListener("click", () => { most += 100; show(); });
  tools.hidden = false;
  show();
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && list.contains(target)) { target.hidden = false; target.scrollIntoView(); }
  };
  addEventListener("hashchange", reveal);
  reveal();
}
