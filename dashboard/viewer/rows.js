// A board in rows of parts: each side's from its own edge to the middle, and what stands between the sides.
// A game's board.toml says which parts with which zones and counters; no part knows a rule.

class Rows {
  constructor(board) {
    this.board = board;
    this.view = board.view;
    this.data = board.data;
    const { rows, middle } = this.data.board;
    this.parts = [];
    this.elsewhere = new Set(rows.flatMap((row) => row.parts).flatMap((part) => [part.life, part.level, part.limit, ...part.shown ?? []]).filter(Boolean));
    for (const part of rows.flatMap((row) => row.parts)) if (part.part === "gauge") this.elsewhere.add(`${part.zone}_${part.of}`);
    this.outcomes = middle.find(({ part }) => part === "meetings")?.outcomes ?? {};
    this.strikes = middle.find(({ part }) => part === "strikes");
    board.gutter.replaceChildren();
    const [top, bottom] = board.seats.map((seat, i) => this.side(seat, i === 0));
    const between = middle.map((part) => this.part(part, null, false));
    this.element = h("div", { class: `rows of-${this.data.board.card.anatomy}` }, top, h("div", { class: middle.some(({ part }) => part === "chain") ? "between chained" : "between", style: `--cols:${columns(middle)}` }, between, board.stack), bottom);
  }

  side(seat, top) {
    const { data, view, board } = this;
    const rows = top ? data.board.rows : [...data.board.rows].reverse();
    const side = { seat, top, lives: [], small: [], counts: [] };
    board.sides[seat] = side;
    side.role = h("span", { class: "role" });
    side.hand = h("div", { class: top ? "hand tiles" : "hand" });
    side.handCount = h("button", { class: "lab hc", type: "button", onclick: () => view.openZone(seat, data.board.hand) });
    side.counters = h("span", { class: "cts" });
    const drawn = rows.map(({ high, parts }) => h("div", { class: "prow", style: `--rh:${high};--cols:${columns(parts)}` }, parts.map((part) => this.part(part, side, top))));
    side.strip = h("span", { class: "strip" }, side.small, side.counts);
    const edge = h("div", { class: "edge" }, h("span", { class: "pname" }, seatIcon(seat), h("span", { class: "pn" }, data.game.players[seat].name)),
      side.role, side.hand, side.handCount, side.counters, side.strip, top ? board.course : board.waiting);
    return h("section", { class: `rside ${top ? "top" : "bottom"} seat${seat}`, "aria-label": data.game.players[seat].name }, top ? [edge, drawn] : [drawn, edge]);
  }

  part(part, side, top) {
    const drawn = new PARTS[part.part](this, part, side, top);
    this.parts.push(drawn);
    return drawn.element;
  }

  scale(width, height, phone, wide) {
    const { rows } = this.data.board;
    const tall = 24 + 34 + 66 + 2 * rows.reduce((sum, { high }) => sum + high + 8, 0) + 8 + 246;
    return phone ? (width - 16) / 374 : wide < 1000 ? (width - 24) / WIDTH : Math.min(height / tall, (width - 24) / WIDTH);
  }

  show(frame, was, context) {
    this.gone = this.board.gone(frame, was, context);
    for (const seat of this.board.seats) this.showEdge(this.board.sides[seat], frame, was, context);
    for (const part of this.parts) part.show(frame, was, context);
  }

  showEdge(side, frame, was, context) {
    const { data, board } = this;
    const { seat } = side;
    const role = frame.turn > 0 ? data.board.roles[seat === frame.active ? 0 : 1] : undefined;
    side.role.hidden = !role;
    if (role) {
      side.role.className = `role ${role.icon}`;
      put(side.role, icon(role.icon, 12), say(data, role.word));
    }
    const ids = frame.zones[seat][data.board.hand] ?? [];
    side.handCount.setAttribute("aria-label", `${say(data, `zone.${data.board.hand}`)} ${ids.length}`);
    put(side.handCount, icon("back", 11), h("span", {}, `${say(data, `zone.${data.board.hand}`)} `), h("b", {}, String(ids.length)));
    side.hand.classList.toggle("many", ids.length > 4);
    side.hand.classList.toggle("backs", !ids.some((id) => frame.cards[id]));
    side.hand.style.setProperty("--cards", ids.length);
    put(side.hand, ...ids.map((id) => board.cardNode(id, frame, null, context, side.top ? { anatomy: "tile" } : { mini: true })));
    board.showCounters(side.counters, seat, frame, was, this.elsewhere);
  }

  // Who strikes a player just now: the last reckoning.
  aim(frame) {
    const last = this.strikes && frame.damage_steps.at(-1);
    return last && last[1] < 2 ? [last[0], null] : null;
  }

  // What has become of a card's fists and shields: {way: [of the fist, of the shield]}.
  edges(id, frame) {
    const found = {};
    for (const [way, source, target, outcome] of frame.meetings) {
      const [answer, fate] = this.outcomes[outcome] ?? [];
      if (source === id) found[way] = [fate === "through" ? "through" : "stopped", ""];
      else if (target === id && answer === "fist") found[way] = [fate === "back" ? "through" : "stopped", ""];
    }
    return Object.keys(found).length ? found : undefined;
  }

  // What a seat's life was in this phase: the value before it, and each one since.
  course(seat) {
    const { data, view } = this;
    const start = before(data.phase_steps, view.n + 1) ?? 0;
    const lives = data.lives[seat].filter(([step]) => step <= view.n);
    const at = lives.findLastIndex(([step]) => step <= start);
    return lives.slice(Math.max(0, at)).map(([, value]) => value);
  }
}

// "78px 1fr 172px": declared widths in pixels of the drawing, the others share what is left.
function columns(parts) {
  return parts.map(({ width }) => (width ? `calc(${width}px*var(--u))` : "minmax(0,1fr)")).join(" ");
}

// A bar for a life, with what was just lost and ticks at fixed values.
class Bar {
  constructor(seat, ticks) {
    this.lost = h("i", { class: "j" });
    this.left = h("i", { class: "on" });
    this.ticks = ticks.map((value) => [value, h("u", {})]);
    this.labels = ticks.map((value) => [value, h("span", {}, digits(value))]);
    this.element = h("span", { class: "hpb", "data-seat": seat, "aria-hidden": "true" }, this.lost, this.left, this.ticks.map(([, tick]) => tick));
    this.scale = h("span", { class: "hpk", "aria-hidden": "true" }, this.labels.map(([, label]) => label));
  }

  show(now, was, full) {
    const share = (value) => `${Math.max(0, Math.min(100, 100 * value / full)).toFixed(2)}%`;
    this.left.style.width = share(now);
    this.lost.style.width = share(was);
    for (const [value, mark] of [...this.ticks, ...this.labels]) mark.style.left = share(value);
  }
}

// What parts have in common: where they belong, and a player's life.
class Piece {
  constructor(rows, part, side) {
    this.rows = rows;
    this.board = rows.board;
    this.data = rows.data;
    this.part = part;
    this.seat = side?.seat;
  }

  // The life of this side: number, change and bar, and how the log calls it.
  makeLife(side, counter, ticks) {
    const name = say(this.data, `counter.${counter}`);
    side.lives.push({ name, short: name, of: (frame) => frame.seats[side.seat][counter] ?? 0 });
    this.bars = [new Bar(side.seat, ticks), new Bar(side.seat, ticks)];
    this.number = h("b", {});
    this.full = h("span", {});
    this.most = h("span", {});
    this.change = h("span", { class: "chg-n" });
    return name;
  }

  // `card` is the one whose printed number is a full life.
  showLife(frame, was, card) {
    const { life, full } = this.part;
    const now = frame.seats[this.seat][life] ?? 0;
    const before = was?.seats[this.seat][life] ?? now;
    const printed = this.data.cards[card?.code]?.stats[full] ?? 0;
    put(this.number, now);
    put(this.full, say(this.data, `counter.${life}`));
    put(this.most, printed ? `/ ${printed}` : "");
    put(this.change, ...before === now || frame.turn === 0 ? [] : [`${digits(before)} → `, h("b", {}, digits(now))]);
    for (const bar of this.bars) bar.show(now, Math.max(now, before), Math.max(printed, now, before, 1));
  }

  player(seat) {
    return this.data.game.players[seat].name;
  }
}

class PilesPart extends Piece {
  constructor(rows, part, side) {
    super(rows, part, side);
    this.piles = part.zones.map((zone) => ({ zone, button: h("button", { class: "pb", type: "button", onclick: () => rows.view.openZone(this.seat, zone) }) }));
    this.count = h("button", { class: "lab", type: "button", onclick: () => rows.view.openZone(this.seat, part.zones.at(-1)) });
    if (part.title) side.counts.push(this.count);
    else {
      for (const pile of this.piles) {
        pile.count = h("button", { class: "lab", type: "button", onclick: () => rows.view.openZone(this.seat, pile.zone) });
        side.counts.push(pile.count);
      }
    }
    this.element = h("div", { class: part.title ? "piles tall" : "piles" }, part.title && h("span", { class: "lab" }, say(this.data, part.title)), this.piles.map(({ button }) => button));
  }

  show(frame, was, context) {
    const { data, part } = this;
    this.piles.forEach((pile, i) => {
      const ids = frame.zones[this.seat][pile.zone];
      const label = say(data, `zone.${pile.zone}`);
      const short = part.rest && i > 0 ? say(data, part.rest) : label;
      pile.button.setAttribute("aria-label", `${label} ${ids.length}`);
      pile.button.title = label;
      put(pile.button, ...this.face(i, ids, frame, context), h("b", {}, String(ids.length)), (!part.title || i > 0) && h("em", {}, short));
      if (pile.count) put(pile.count, `${label} `, h("b", {}, String(ids.length)));
    });
    const [first, ...others] = part.zones.map((zone) => frame.zones[this.seat][zone].length);
    put(this.count, ...part.title ? [`${say(data, part.title)} `, h("b", {}, String(first)), ...others.map((n) => ` · ${n}`)] : []);
  }

  // A deck is a back; of the others the top card is to be seen where there is room.
  face(i, ids, frame, context) {
    if (i === 0) return [icon("back", 34)];
    if (this.part.title) return [];
    const card = frame.cards[ids.at(-1)];
    const shown = h("span", { class: "card none" });
    if (card) drawCard(shown, this.data, { ...card, exhausted: false, counters: undefined }, { anatomy: "upright", mini: true, rings: context.touched.has(ids.at(-1)) ? ["now"] : [], open: true });
    shown.removeAttribute("aria-label");
    return [shown];
  }
}

class LeaderPart extends Piece {
  constructor(rows, part, side) {
    super(rows, part, side);
    this.makeLife(side, part.life, part.ticks);
    this.place = h("div", { class: "lplace" });
    this.name = h("b", { class: "ln2" });
    this.kind = h("span", { class: "ty" });
    this.element = h("div", { class: "ldrb", "data-seat": side.seat }, this.place, h("div", { class: "lst" }, h("span", { class: "nmx" }, this.name, this.kind),
      h("span", { class: "hpv" }, this.number, this.most, this.full), h("span", { class: "hpw" }, this.bars[0].element, this.bars[0].scale), this.change));
  }

  show(frame, was, context) {
    const { data, part, board } = this;
    const zones = frame.zones[this.seat];
    const at = zones[part.zone][0];
    const away = at === undefined ? zones[part.away]?.find((id) => frame.cards[id] && valueOf(data, frame.cards[id], part.by) > 0) : undefined;
    const card = frame.cards[at ?? away];
    const face = data.cards[card?.code];
    this.showLife(frame, was, card);
    put(this.name, face ? face.name : data.chrome.hidden);
    const shown = part.shown.map((name) => `${say(data, `counter.${name}`)} ${frame.seats[this.seat][name] ?? "–"}`);
    const word = face?.type.split(" · ")[1];
    put(this.kind, [word, ...shown].filter(Boolean).join(" · "));
    this.element.classList.toggle("out", away !== undefined);
    if (at !== undefined) put(this.place, board.cardNode(at, frame, was, context));
    else if (face) put(this.place, this.ghost(face, card.code));
    else this.place.replaceChildren();
  }

  // The leader's place while it is away.
  ghost(face, code) {
    return h("span", { class: `sq em f-${face.frame}` }, picture(face.frame, code), h("span", { class: "aw2" }, `${say(this.data, this.part.sign)} →`));
  }
}

class PortraitPart extends Piece {
  constructor(rows, part, side) {
    super(rows, part, side);
    const name = this.makeLife(side, part.life, []);
    this.levels = [h("span", { class: "lv" }), h("span", { class: "lv" })];
    this.card = h("button", { class: "pca", type: "button" });
    this.name = h("b", { class: "pcn" });
    this.text = h("span", { class: "skt" });
    const small = { number: h("b", {}), change: h("span", { class: "chg-n" }) };
    this.small = small;
    side.small.push(this.levels[1], h("span", { class: "lpx" }, h("span", { class: "r1" }, small.number, h("span", {}, name), small.change), this.bars[1].element));
    this.element = h("div", { class: "pc" }, this.card, h("div", { class: "pcb" }, this.name, h("span", { class: "lpv" }, this.number, this.full, this.change), this.bars[0].element, this.text));
  }

  show(frame, was, context) {
    const { data, part } = this;
    const id = frame.zones[this.seat][part.zone][0];
    const card = frame.cards[id];
    const face = data.cards[card?.code];
    this.showLife(frame, was, card);
    put(this.small.number, this.number.textContent);
    put(this.small.change, this.change.textContent);
    const level = frame.seats[this.seat][part.level];
    for (const tag of this.levels) put(tag, say(data, part.tag).replace("{n}", level ?? "–"));
    put(this.name, face ? face.name : data.chrome.hidden);
    put(this.text, face ? face.text.join(" ") : "");
    this.text.title = this.text.textContent;
    if (this.id !== id || this.code !== card?.code) {
      [this.id, this.code] = [id, card?.code];
      const fresh = h("button", { class: "pca", type: "button" });
      this.rows.view.watchCard(fresh, id);
      this.card.replaceWith(fresh);
      this.card = fresh;
    }
    this.card.className = `pca f-${face?.frame ?? "indigo"} ${context.touched.has(id) ? "now" : ""}`;
    this.card.setAttribute("aria-label", `${this.name.textContent}, ${this.levels[0].textContent}`);
    const items = (this.board.tied.get(id) ?? []).map((other) => h("span", { class: "eq" }, nameOf(data, other.card)));
    put(this.card, ...face ? [picture(face.frame, card.code)] : [icon("back", 40)], this.levels[0], ...items);
  }
}

class CardsPart extends Piece {
  constructor(rows, part, side) {
    super(rows, part, side);
    this.places = h("div", { class: "places", role: "group", "aria-label": `${this.player(this.seat)}: ${say(this.data, `zone.${part.zone}`)}` });
    this.element = h("div", { class: "fm" }, this.places);
  }

  show(frame, was, context) {
    this.board.showPlaces(this.places, this.seat, this.part.zone, this.part.places, frame, was, context, this.rows.gone);
  }
}

class GaugePart extends Piece {
  constructor(rows, part, side, top) {
    super(rows, part, side);
    this.label = h("span", { class: "gl" });
    this.line = h("div", { class: "gg", role: "group" });
    this.element = h("div", { class: `gz ${top ? "top" : "bottom"}` }, this.label, this.line);
  }

  show(frame, was, context) {
    const { data, part } = this;
    const zones = frame.zones[this.seat];
    const limit = frame.seats[this.seat][part.limit] ?? 0;
    const costs = (ids) => ids.map((id) => ({ id, card: frame.cards[id] })).map(({ id, card }) => ({ id, card, cost: card ? valueOf(data, card, part.of) ?? 0 : 0 }));
    const stock = costs(zones[part.zone]);
    const more = costs(zones[part.more]).filter(({ card }) => card && (card.face_up !== false || data.game.view === null || data.game.view === card.seat));
    const total = [...stock, ...more].reduce((sum, { cost }) => sum + cost, 0);
    const free = limit - total;
    const chrome = data.chrome;
    const scale = Math.max(limit, total, 1);
    const left = free < 0 ? chrome.n_over.replace("{n}", -free) : chrome.n_left.replace("{n}", free);
    const of = chrome.of_limit.replace("{n}", limit).replace("{what}", say(data, `counter.${part.limit}`));
    put(this.label, seatIcon(this.seat), h("span", {}, say(data, part.title)), h("b", { class: was && this.sum(was) !== total ? "chg-n" : "" }, digits(total)), h("em", {}, of),
      frame.turn > 0 && free <= 1 && h("span", { class: "wr" }, `▲ ${left}`));
    this.line.setAttribute("aria-label", `${this.player(this.seat)}: ${say(data, part.title)} ${total} ${of}`);
    const segment = ({ id, card, cost }, hatched) => this.segment(id, card, cost, cost / scale, hatched, context);
    put(this.line, ...stock.filter(({ cost }) => cost > 0).map((one) => segment(one, false)), ...more.map((one) => segment(one, true)),
      h("span", { class: "fr", style: `flex:${Math.max(0, free) / scale} 1 0` }, free / scale > 0.09 && h("span", {}, chrome.n_free.replace("{n}", free))),
      h("i", { class: "lim", style: `left:${(100 * limit / scale).toFixed(2)}%` }));
  }

  sum(frame) {
    const { part, data } = this;
    return [part.zone, part.more].flatMap((zone) => frame.zones[this.seat][zone]).reduce((sum, id) => sum + (frame.cards[id] ? valueOf(data, frame.cards[id], part.of) ?? 0 : 0), 0);
  }

  segment(id, card, cost, share, hatched, context) {
    const { data, part } = this;
    const face = data.cards[card?.code];
    const text = hatched ? say(data, part.hatched) : share > 0.14 ? nameOf(data, card) : "";
    const node = h("button", { class: `sg ${hatched ? "stage" : `f-${face?.frame ?? "indigo"}`} ${context.touched.has(id) ? "now" : ""}`, type: "button", style: `flex:${share} 1 0`, title: nameOf(data, card),
      "aria-label": `${nameOf(data, card)}, ${say(data, `counter.${part.of}`)} ${cost}${hatched ? `, ${say(data, `zone.${part.more}`)}` : ""}` },
      h("b", {}, digits(cost)), text && h("span", { class: "n" }, text), !hatched && share > 0.045 && h("span", { class: text ? "l" : share < 0.07 ? "thin" : "" }, face?.letter ?? ""));
    this.rows.view.watchCard(node, id);
    return node;
  }
}
