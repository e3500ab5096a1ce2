// Games as rows or as pictures, each of which is a link to its replay. Text goes in by textContent only.

// What was clicked is kept in this entry of the browser's history, so that the way back leads to it.
function keepPlace(game) {
  const query = new URLSearchParams(location.search);
  query.set("opened", game);
  history.replaceState(history.state, "", `${location.pathname}?${query}`);
}

// Both lives as lines, the first seat's drawn through, the second's dashed.
function lives({ first, second }, said, width, height) {
  const turns = Math.max(first.length, 2);
  const most = Math.max(...first, ...second, 1);
  const points = (life) => life.map((left, n) => {
    const x = 2 + ((width - 4) * n) / (turns - 1);
    const y = 2 + (height - 4) * (1 - Math.max(left, 0) / most);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  }).join(" ");
  return svg("svg", { class: "lives", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": said },
    svg("line", { class: "floor", x1: 0, x2: width, y1: height - 1.5, y2: height - 1.5 }),
    svg("polyline", { class: "life l0", points: points(first) }),
    svg("polyline", { class: "life l1", points: points(second) }));
}

function seatMark(seat) {
  const shape = seat ? svg("path", { d: "M6 0L12 6 6 12 0 6Z" }) : svg("circle", { cx: 6, cy: 6, r: 5.5 });
  return svg("svg", { class: `seat s${seat}`, viewBox: "0 0 12 12", "aria-hidden": "true" }, shape);
}

function sides(row, { words, marks, columns, form }) {
  return row.sides.map((side, seat) => {
    const won = row.winner === seat;
    return h("span", { class: won ? "side winner" : "side" },
      seatMark(seat),
      h("span", { class: "marks" }, side.marks.map((name) => h("img", { src: marks[name], alt: "", width: 17, height: 17 }))),
      h("b", {}, side.deck || side.player),
      (columns.includes("players") || form === "pictures") && side.deck && h("small", {}, side.player),
      won && h("i", { class: "won" }, words.won));
  });
}

function summary(row, { words }) {
  const [first, second] = row.sides.map((side) => [side.deck, side.player].filter(Boolean).join(", "));
  const won = row.winner === null || row.winner === undefined ? "" : `${words.won}: ${row.sides[row.winner].deck || row.sides[row.winner].player}. `;
  return `${first}${words.against}${second}. ${won}${row.ending}`;
}

function link(row, list) {
  return h("a", {
    class: "open", href: row.href, "aria-label": summary(row, list), "aria-keyshortcuts": list.picking && "Space",
    onclick: (event) => {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // another tab
      event.preventDefault();
      keepPlace(row.id);
      list.open(row.id);
    },
  });
}

function cell(row, name, list) {
  const value = row.cells[name];
  if (value === null || value === undefined) return h("td", { class: name });
  if (name === "turns" || name === "decisions") {
    return h("td", { class: `${name} n`, "data-name": list.words[name] }, number(list, value));
  }
  const text = name === "date" ? day(list, value) : value;
  return h("td", { class: name === "verdict" ? `verdict v-${row.verdict}` : name }, text);
}

function tableRow(row, list) {
  const opened = row.id === list.opened;
  const drawn = list.rows.some((one) => one.life);
  return h("tr", { "aria-current": opened ? "true" : false, class: opened && "opened", title: opened && list.words.opened_last },
    list.picking && h("td", { class: "pick" }, h("label", {}, h("input", {
      type: "checkbox", "aria-label": `${list.words.pick}: ${summary(row, list)}`, "data-key": row.key, onchange: list.pick,
    }))),
    h("td", { class: "who" }, link(row, list), sides(row, list)),
    h("td", { class: "ending" }, row.winner === null && row.ending ? `${row.ending}` : row.ending),
    drawn && h("td", { class: "course" }, row.life && lives(row.life, list.words.life, 132, 34)),
    list.shown.map((name) => cell(row, name, list)));
}

function table(list) {
  const drawn = list.rows.some((one) => one.life);
  const head = ["both_decks", "ending", ...(drawn ? ["life"] : []), ...list.shown];
  return h("table", {},
    h("thead", {}, h("tr", {}, list.picking && h("th", { scope: "col", class: "pick" }, h("label", {}, h("input", {
      type: "checkbox", class: "every", "aria-label": list.words.pick_page, onchange: list.pick,
    }))), head.map((name) => h("th", { scope: "col", class: name === "turns" || name === "decisions" ? `${name} n` : name }, list.words[name])))),
    h("tbody", { onkeydown: walk }, list.rows.map((row) => tableRow(row, list))));
}

// Arrow keys lead from row to row; the space bar picks one.
function walk(event) {
  const box = event.key === " " && event.target.matches("a.open") && event.target.closest("tr").querySelector(".pick input");
  if (box) {
    event.preventDefault();
    box.click();
  }
  const links = [...event.currentTarget.querySelectorAll("a.open")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = step && links[links.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function pictures(list) {
  return h("ul", { class: "pictures" }, list.rows.map((row) => h("li", {},
    link(row, list),
    row.title && h("strong", {}, row.title),
    row.life ? lives(row.life, list.words.life, 240, 64) : h("span", { class: "nolife" }),
    h("span", { class: "sides" }, sides(row, list)),
    h("small", { class: "said" }, `${row.cells.game} · ${row.said || row.ending}`))));
}

function pager(list, place) {
  const { page, pages, of } = list.pages;
  const button = (name, to, sign) => h("button", {
    type: "button", "aria-label": list.words[name], title: list.words[name], disabled: to === page || to < 1 || to > pages,
    onclick: () => list.turn(to),
  }, sign);
  return h("nav", { class: `pages ${place}`, "aria-label": list.words.pages },
    h("span", {}, of),
    button("first_page", 1, "«"), button("previous_page", page - 1, "‹"),
    h("b", {}, `${number(list, page)} / ${number(list, pages)}`),
    button("next_page", page + 1, "›"), button("last_page", pages, "»"));
}

// Which boxes are ticked. What one ticks counts here at once, what the page picks (all, none) by the number of its say.
function tick(root, picked) {
  for (const box of root.querySelectorAll("td.pick input")) box.checked = picked.has(box.dataset.key);
  tickEvery(root);
}

function tickEvery(root) {
  const boxes = [...root.querySelectorAll("td.pick input")], every = root.querySelector(".every");
  const ticked = boxes.filter((box) => box.checked).length;
  every.checked = ticked === boxes.length;
  every.indeterminate = ticked > 0 && ticked < boxes.length;
}

function take(root, event, tell) {
  const boxes = [...root.querySelectorAll("td.pick input")];
  if (event.target.matches(".every")) for (const box of boxes) box.checked = event.target.checked;
  tickEvery(root);
  tell({ keys: boxes.filter((box) => box.checked).map((box) => box.dataset.key), at: performance.now() });
}

const shownIn = new WeakMap();
const saidIn = new WeakMap();

export default function mount({ parentElement, data: { picking, ...data }, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".cf");
  const dark = darkAround(root);
  root.className = `cf ${dark ? "dark" : "light"} ${data.form}`;
  root.lang = data.language;
  const source = JSON.stringify(data);
  if (picking && shownIn.get(root) === source && saidIn.get(root) !== picking.said) tick(root, new Set(picking.keys));
  saidIn.set(root, picking?.said);
  if (shownIn.get(root) === source) return;
  const before = shownIn.has(root);
  shownIn.set(root, source);
  const list = {
    ...data, picking, pick: (event) => take(root, event, (picked) => setStateValue("picked", picked)),
    shown: data.columns.filter((name) => name !== "players"),
    open: (game) => setTriggerValue("open", game), turn: (page) => setTriggerValue("page", page),
  };
  const paged = data.pages && data.pages.pages > 1;
  root.replaceChildren(...[
    paged && pager(list, "top"), data.form === "list" ? table(list) : pictures(list), paged && pager(list, "bottom"),
  ].filter(Boolean));
  if (picking) tick(root, new Set(picking.keys));
  const opened = root.querySelector("tr.opened");
  if (opened && !before) requestAnimationFrame(() => opened.scrollIntoView({ block: "center" }));
}
