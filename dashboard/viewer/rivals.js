// While nothing is reckoned: each card of a side against each of the other one, or against the player where there is none,
// and what each player has left of a limit.

class Rivals {
  constructor(part, rivals) {
    this.part = part;
    this.data = part.data;
    this.declared = rivals;
    this.table = h("table", {});
    this.element = h("div", { class: "rv", tabindex: "0", role: "group", "aria-label": say(part.data, part.part.idle) }, this.table);
  }

  // The cards that may meet, first those that do: [{id, card}].
  cards(seat, frame) {
    return this.declared.zones.flatMap((zone) => frame.zones[seat][zone]).map((id) => ({ id, card: frame.cards[id] })).filter(({ card }) => card && card.face_up !== false);
  }

  show(frame) {
    const [top, bottom] = this.part.board.seats;
    const [across, down] = [this.cards(top, frame), this.cards(bottom, frame)];
    const columns = across.length ? across : [{ seat: top }];
    const rows = down.length ? down : [{ seat: bottom }];
    put(this.table, ...across.length + down.length ? [
      h("thead", {}, h("tr", {}, h("th", {}, seatIcon(bottom), " : ", seatIcon(top)), columns.map((one) => this.heading(one, "col")))),
      h("tbody", {}, rows.map((one) => h("tr", {}, this.heading(one, "row"), columns.map((other) => this.cell(one.card, other.card))))),
    ] : [h("tbody", {}, h("tr", {}, h("td", { class: "nobody" }, say(this.data, this.declared.nobody))))]);
  }

  // A card with what decides who is quicker; or the player that has none.
  heading({ card, seat }, scope) {
    const { data, declared } = this;
    const [name, more] = card ? [nameOf(data, card), `${say(data, `counter.${declared.order}`)} ${valueOf(data, card, declared.order) ?? "–"}`]
      : [this.part.player(seat), say(data, declared.bare)];
    return h("th", { scope }, name, " ", h("small", {}, more));
  }

  // What the one would do to the other, and the other to it; the quicker one's in bold. No card does nothing.
  cell(card, other) {
    const { data, declared: { attack, defence, order } } = this;
    const blow = (one, two) => (one ? digits(Math.max(0, (valueOf(data, one, attack) ?? 0) - (two ? valueOf(data, two, defence) ?? 0 : 0))) : "–");
    const lead = card && other ? (valueOf(data, card, order) ?? 0) - (valueOf(data, other, order) ?? 0) : 0;
    const said = (text, quicker) => (quicker ? h("b", {}, text) : text);
    return h("td", {}, said(blow(card, other), lead > 0), " : ", said(blow(other, card), lead < 0));
  }

  // For each player a bar as long as what is left, on one scale; who has more stands out.
  race(frame) {
    const { data, declared, part } = this;
    const left = part.board.seats.map((seat) => {
      const spent = declared.spent.flatMap((zone) => frame.zones[seat][zone]).reduce((sum, id) => sum + (frame.cards[id] ? valueOf(data, frame.cards[id], declared.of) ?? 0 : 0), 0);
      return { seat, limit: frame.seats[seat][declared.limit] ?? 0, spent };
    });
    const rest = ({ limit, spent }) => limit - spent;
    const scale = Math.max(1, ...left.map(({ limit }) => limit));
    const most = Math.max(...left.map(rest));
    return left.map((one) => h("div", { class: rest(one) === most ? "left-of more" : "left-of" }, h("span", {}, seatIcon(one.seat), part.player(one.seat)),
      h("span", { class: "hpb", "aria-hidden": "true" }, h("i", { class: "on", style: `width:${(100 * Math.max(0, rest(one)) / scale).toFixed(1)}%` })),
      h("b", {}, say(data, declared.left).replace("{n}", digits(rest(one))).replace("{limit}", digits(one.limit)))));
  }
}
