// A board in lines: each seat's life at the left, its lines of cards in the middle, what they give and its piles at the right.

const WIDTH = 1044; // of a wide board as drawn, in pixels

class Lines {
  constructor(board) {
    this.board = board;
    this.view = board.view;
    this.data = board.data;
    this.names = true; // whose turn it is stands nowhere else
    const layout = this.data.board;
    const [top, bottom] = board.seats.map((seat, i) => this.side(seat, i === 0, layout));
    top.prepend(board.course);
    board.gutter.replaceChildren(board.stack);
    this.element = h("div", { class: "lob" }, top, board.gutter, bottom);
  }

  scale(width, height, phone, wide) {
    const lines = this.data.board.lines.length;
    const tall = 212 + 2 * lines * 122 + (2 * lines + 3) * 8;
    return phone ? (width - 45) / 350 : wide < 1000 ? (width - 24) / WIDTH : Math.min((height - 24) / tall, (width - 24) / WIDTH);
  }

  show(frame, was, context) {
    const gone = this.board.gone(frame, was, context);
    for (const seat of this.board.seats) this.showSide(seat, frame, was, context, gone);
  }

  showSide(seat, frame, was, context, gone) {
    const side = this.board.sides[seat];
    const zones = frame.zones[seat];
    for (const { zone, element } of side.lines) this.board.showPlaces(element, seat, zone, this.data.caps[zone] ?? 5, frame, was, context, gone);
    const hand = zones[this.data.board.hand] ?? [];
    this.showHand(side, hand, frame, context);
    for (const life of side.lives) this.showLife(life, frame, was);
    this.showSpots(side, seat, frame, context);
    for (const tally of side.tallies) this.showTally(tally, seat, frame, was);
    for (const pile of side.piles) this.showPile(pile, zones[pile.zone] ?? [], frame, context);
    this.board.showCounters(side.counters, seat, frame, was, new Set());
    this.showNarrow(side, seat, frame, hand);
  }

  side(seat, top, layout) {
    const { data, view } = this;
    const side = { lines: [], piles: [], tallies: [] };
    this.board.sides[seat] = side;
    side.name = h("span", { class: "pname" }, seatIcon(seat), h("span", { class: "pn" }, data.game.players[seat].name));
    side.handCount = h("button", { class: "lab", type: "button", onclick: () => view.openZone(seat, layout.hand) });
    side.counters = h("span", { class: "cts" });
    side.strip = h("span", { class: "strip" });
    side.hand = h("div", { class: "hand" });
    side.left = h("div", { class: "left" });
    side.lives = [...layout.lives.map(({ zone }) => this.lifePile(seat, zone)), ...data.life_counters.map((name) => this.lifeCounter(seat, name))];
    side.spot = h("div", { class: "spots" });
    side.left.append(...side.lives.flatMap((life) => life.deck ?? []), h("div", { class: "lx" }, side.lives.map((life) => life.element), side.counters, side.spot));
    const order = top ? layout.lines : [...layout.lines].reverse();
    const lines = order.map(({ zone, label }) => {
      const text = label || say(data, `zone.${zone}`);
      const line = h("div", { class: text.length > 2 ? "line long" : "line", "data-l": text, role: "group", "aria-label": say(data, `zone.${zone}`) });
      side.lines.push({ zone, element: line });
      return line;
    });
    const room = layout.lines.length * 130 - 8 - 88 * layout.tallies.length;
    const high = Math.max(30, Math.min(78, room / Math.max(1, layout.piles.length) - 10));
    const right = h("div", { class: "right", style: `--ph:${high.toFixed(0)}` });
    for (const tally of layout.tallies) {
      const element = h("div", { class: "prod" });
      side.tallies.push({ ...tally, element });
      right.append(element);
    }
    for (const { zone } of layout.piles) {
      const element = h("button", { class: "pile", type: "button", onclick: () => view.openZone(seat, zone) });
      side.piles.push({ zone, element });
      right.append(element);
    }
    const who = h("div", { class: "who" }, side.name, side.handCount, side.strip);
    return h("section", { class: `side ${top ? "top" : "bottom"} seat${seat}`, "aria-label": data.game.players[seat].name },
      who, side.hand, side.left, h("div", { class: "lines" }, lines), right);
  }

  // A pile whose cards are the life: a comb with a tick for each card.
  lifePile(seat, zone) {
    const most = Math.max(1, ...this.data.lives[seat].map(([, value]) => value));
    const comb = svg("svg", { class: "comb", viewBox: `0 0 64 ${most * 3.5 + 3}`, "aria-hidden": "true" },
      Array.from({ length: most }, (_, i) => svg("rect", { x: 2, y: 2 + (most - 1 - i) * 3.5, width: 60, height: 2.4, rx: 1 })));
    const small = svg("svg", { class: "hcomb", viewBox: `0 0 ${most * 3 + 2} 12`, preserveAspectRatio: "none", "aria-hidden": "true" },
      Array.from({ length: most }, (_, i) => svg("rect", { x: 1 + i * 3, y: 1, width: 2, height: 10 })));
    const deck = h("button", { class: "dk", type: "button", "data-seat": seat, onclick: () => this.view.openZone(seat, zone) }, comb);
    const name = say(this.data, `zone.${zone}`);
    let shown = "";
    const draw = (now, before) => {
      if (shown === `${now} ${before}`) return;
      shown = `${now} ${before}`;
      for (const part of [comb, small]) {
        [...part.children].forEach((tick, i) => tick.setAttribute("class", i < now ? "on" : i < before ? "j" : "off"));
      }
    };
    const of = (frame) => frame.zones[seat][zone]?.length ?? 0;
    return this.life(seat, { deck, small, draw, of, name, caption: this.data.chrome.is_life.replace("{zone}", () => name) });
  }

  // A number that is the life: a bar.
  lifeCounter(seat, counter) {
    const most = Math.max(1, ...this.data.lives[seat].map(([, value]) => value));
    const bar = h("div", { class: "hp", "data-seat": seat }, h("i", { class: "j" }), h("i", { class: "on" }));
    const small = h("div", { class: "hp hcomb" }, h("i", { class: "j" }), h("i", { class: "on" }));
    const draw = (now, before) => {
      for (const part of [bar, small]) {
        [before, now].forEach((value, i) => { part.children[i].style.width = `${Math.max(0, Math.min(100, 100 * value / most))}%`; });
      }
    };
    const name = say(this.data, `counter.${counter}`);
    return this.life(seat, { small, draw, of: (frame) => frame.seats[seat][counter] ?? 0, name, caption: name, bar });
  }

  life(seat, life) {
    const number = h("b", {});
    const change = h("span", { class: "was" });
    const element = h("div", { class: "life" }, number, change, life.bar, h("em", {}, life.caption));
    return { ...life, seat, number, change, element };
  }

  showHand(side, ids, frame, context) {
    put(side.handCount, `${say(this.data, `zone.${this.data.board.hand}`)} ${ids.length}`);
    const nodes = ids.map((id) => this.board.cardNode(id, frame, null, context, { mini: true }));
    side.hand.classList.toggle("many", ids.length > 8);
    side.hand.style.setProperty("--cards", ids.length);
    put(side.hand, ...nodes);
  }

  showLife(life, frame, was) {
    const now = life.of(frame);
    const before = was ? life.of(was) : now;
    put(life.number, now);
    put(life.change, before === now ? "" : `${digits(before)} → ${digits(now)}`);
    life.deck?.setAttribute("aria-label", `${this.data.game.players[life.seat].name}: ${life.name} ${now}`);
    life.draw(now, before);
  }

  // Cards turned up from a pile in this window, beside the pile, with what becomes of them.
  showSpots(side, seat, frame, context) {
    const { board } = this.data;
    const latest = new Map();
    for (const { card, move_kind } of context.spots) {
      if (frame.cards[card]?.seat === seat && board.spot[move_kind]) latest.set(card, move_kind);
    }
    const shown = [...latest].slice(-3);
    side.spot.classList.toggle("many", shown.length > 1);
    put(side.spot, ...shown.map(([id, kind]) => {
      const node = this.view.cardButton(id);
      const card = { ...frame.cards[id], exhausted: false };
      drawCard(node, this.data, card, { rings: context.touched.has(id) ? ["now"] : [], open: true });
      return h("div", { class: "spot" }, h("span", { class: kind === Object.keys(board.spot)[0] ? "tag n st" : "tag q st" }, say(this.data, board.spot[kind])), node);
    }));
  }

  sum(tally, seat, frame) {
    const sums = {};
    for (const symbol of tally.symbols) sums[symbol] = 0;
    for (const id of frame?.zones[seat][tally.zone] ?? []) {
      const card = frame.cards[id];
      if (!card || card.face_up === false) continue;
      for (const [symbol, n] of Object.entries(this.data.cards[card.code]?.tables[tally.field] ?? {})) {
        if (tally.symbols.includes(symbol)) sums[symbol] = (sums[symbol] ?? 0) + n;
      }
    }
    return Object.fromEntries(Object.entries(sums).filter(([, n]) => n > 0));
  }

  showTally(tally, seat, frame, was) {
    const sums = this.sum(tally, seat, frame);
    const before = was ? this.sum(tally, seat, was) : sums;
    const total = Object.values(sums).reduce((a, b) => a + b, 0);
    const rows = Object.entries(sums).map(([symbol, n]) => h("div", {},
      h("span", {}, n > 3 ? pip(symbol, 15) : pips({ [symbol]: n }, 15)),
      h("b", { class: (before[symbol] ?? 0) === n ? "" : "chg-n" }, digits(n)), h("em", {}, say(this.data, `${tally.words}.${symbol}`))));
    put(tally.element, h("div", { class: "lab" }, h("span", {}, say(this.data, `term.${tally.title}`)), h("b", {}, digits(total))), ...rows);
  }

  showPile(pile, ids, frame, context) {
    const top = ids.at(-1);
    const card = frame.cards[top];
    const drawing = JSON.stringify([ids.length, top, card, context.touched.has(top)]);
    if (pile.drawing === drawing) return;
    pile.drawing = drawing;
    const shown = card ? h("span", {}) : h("span", { class: "card mini none" });
    if (card) drawCard(shown, this.data, { ...card, exhausted: false, counters: undefined }, { mini: true, rings: context.touched.has(top) ? ["now"] : [], open: true });
    const label = say(this.data, `zone.${pile.zone}`);
    pile.element.setAttribute("aria-label", `${label} ${ids.length}`);
    put(pile.element, shown, h("span", {}, h("b", {}, String(ids.length)), h("em", {}, label)));
  }

  // The strip of a narrow screen: what stands at the sides of a wide one, as counts.
  showNarrow(side, seat, frame, hand) {
    const { board } = this.data;
    const sums = side.tallies.flatMap((tally) => Object.entries(this.sum(tally, seat, frame)));
    put(side.strip, 
      h("span", { class: "pr" }, sums.flatMap(([symbol, n]) => [pip(symbol, 13), h("b", {}, digits(n))])),
      h("button", { class: "lab", type: "button", "aria-label": `${say(this.data, `zone.${board.hand}`)} ${hand.length}`, onclick: () => this.view.openZone(seat, board.hand) }, icon("back", 11, "height:15px"), ` ${hand.length}`),
      ...side.piles.map(({ zone }) => h("button", { class: "lab", type: "button", "aria-label": say(this.data, `zone.${zone}`), onclick: () => this.view.openZone(seat, zone) }, `✕ ${frame.zones[seat][zone]?.length ?? 0}`)),
      ...side.lives.map((life) => h("span", { class: "ds" }, life.small,
        life.change.textContent && h("span", { class: "chg-n" }, `${life.change.textContent.split(" ")[0]} →`),
        h("span", { class: "num", "data-seat": seat }, life.number.textContent))),
    );
  }
}
