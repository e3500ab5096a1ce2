// A card on the page about it: as it lies on a table, but larger, and its text. Mounted by the page of a card.

export default function mountFace({ parentElement, data }) {
  const root = parentElement.querySelector(".cf");
  const face = data.cards[data.code];
  const card = { code: data.code, seat: 0, face_up: true, exhausted: false, counters: {} };
  root.className = `cf ${darkAround(root) ? "dark" : "light"} face`;
  root.lang = data.language;
  const drawn = h("div", {});
  drawCard(drawn, data, card, {});
  const about = h("div", { class: "about" },
    face.type && h("p", { class: "ty" }, face.type),
    face.text.map((line) => h("p", {}, line)),
    face.flavour && h("p", { class: "flavour" }, face.flavour),
    h("p", { class: "ty" }, data.code));
  root.querySelector(".shown")?.remove();
  root.append(h("div", { class: "shown" }, drawn, about));
}
