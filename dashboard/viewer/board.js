// The table: lines of cards, hands, life, piles, what is produced, what waits on the pile, who attacks whom.

const WIDTH = 1044; // of a wide board as drawn, in pixels

class Board {
  constructor(view) {
    this.view = view;
    this.data = view.data;
    this.nodes = new Map();
    this.element = h("main", { class: "board", role: "group", "aria-label": this.data.chrome.table });
    this.build();
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  // Places for everything, the bottom seat's lines mirrored. Called anew when the board is flipped.
  build() {
    const { data } = this;
    const layout = data.board;
    this.nodes.clear();
    this.seats = this.view.flipped ? [0, 1] : [1, 0];
    this.sides = {};
    this.phases = h("ol", { class: "phs" }, data.phases.map((phase) => h("li", { "data-phase": phase }, say(data, `phase.${phase}`))));
    this.turn = h("b", { class: "tn" });
    this.waiting = h("span", { class: "may" });
    this.stack = h("div", { class: "stk" });
    this.result = h("div", { class: "res", hidden: true });
    this.gutter = h("div", { class: "gut" }, this.result, this.stack);
    this.arrow = svg("svg", { class: "arrow", "aria-hidden": "true" });
    const [top, bottom] = this.seats.map((seat, i) => this.side(seat, i === 0, layout));
    top.prepend(h("div", { class: "phz" }, this.turn, this.phases, this.waiting));
    this.element.replaceChildren(h("div", { class: "lob" }, top, this.gutter, bottom), this.arrow);
    this.fit();
  }

  side(seat, top, layout) {
    const { data, view } = this;
    const side = { lines: [], piles: [], tallies: [] };
    this.sides[seat] = side;
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
    const draw = (now, before) => {
      for (const part of [comb, small]) {
        [...part.children].forEach((tick, i) => tick.setAttribute("class", i < now ? "on" : i < before ? "j" : "off"));
      }
    };
    const of = (frame) => frame.zones[seat][zone]?.length ?? 0;
    return this.life(seat, { deck, small, draw, of, name, caption: this.data.chrome.is_life.replace("{zone}", name) });
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

  // Sizes follow the space there is: `--u` is one pixel of the drawing.
  fit() {
    const { width, height } = this.element.getBoundingClientRect();
    if (!width) return;
    const wide = this.view.root.clientWidth;
    const phone = wide < 700;
    const lines = this.data.board.lines.length;
    const tall = 212 + 2 * lines * 122 + (2 * lines + 3) * 8;
    const scale = phone ? (width - 45) / 350 : wide < 1100 ? (width - 24) / WIDTH : Math.min((height - 24) / tall, (width - 24) / WIDTH);
    this.element.classList.toggle("tight", scale < 0.85);
    this.element.style.setProperty("--u", Math.max(0.6, Math.min(phone ? 1.5 : 1.35, scale)).toFixed(4));
    this.drawArrow();
  }

  // Shows `frame`; `was` is the frame before the window of steps that counts as now.
  show(frame, was, context) {
    this.frame = frame;
    this.context = context;
    const old = context.animate ? this.places() : null;
    const gone = this.gone(frame, was, context);
    for (const seat of this.seats) this.showSide(seat, frame, was, context, gone);
    this.showStrip(frame);
    this.showStack(frame);
    this.drawArrow();
    if (old) this.glide(old);
  }

  showSide(seat, frame, was, context, gone) {
    const side = this.sides[seat];
    const zones = frame.zones[seat];
    for (const { zone, element } of side.lines) this.showLine(element, seat, zone, frame, was, context, gone);
    const hand = zones[this.data.board.hand] ?? [];
    this.showHand(side, hand, frame, context);
    for (const life of side.lives) this.showLife(life, frame, was);
    this.showSpots(side, seat, frame, context);
    for (const tally of side.tallies) this.showTally(tally, seat, frame, was);
    for (const pile of side.piles) this.showPile(pile, zones[pile.zone] ?? [], frame, context);
    this.showCounters(side, seat, frame, was);
    this.showNarrow(side, seat, frame, hand);
  }

  showLine(element, seat, zone, frame, was, context, gone) {
    const ids = [...frame.zones[seat][zone]];
    for (const ghost of gone) {
      if (ghost.seat === seat && ghost.zone === zone) ids.splice(Math.min(ghost.at, ids.length), 0, ghost);
    }
    const places = Math.max(this.data.caps[zone] ?? 5, ids.length);
    element.style.setProperty("--n", places);
    while (element.children.length > places) element.lastChild.remove();
    while (element.children.length < places) element.append(h("div", {}));
    for (let i = 0; i < places; i++) {
      const slot = element.children[i];
      const id = ids[i];
      slot.className = id === undefined ? "slot e" : "slot";
      if (id === undefined) slot.replaceChildren();
      else {
        const node = typeof id === "number" ? this.cardNode(id, frame, was, context, false) : this.ghostNode(id, context);
        if (slot.firstChild !== node || slot.children.length > 1) slot.replaceChildren(node);
      }
    }
  }

  // The card as it stands on the table or in a hand: one element for as long as it is there.
  cardNode(id, frame, was, context, mini) {
    const card = frame.cards[id];
    if (!card) return this.backNode();
    let node = this.nodes.get(id);
    if (!node) {
      node = this.view.cardButton(id);
      this.nodes.set(id, node);
    }
    const options = this.options(id, card, frame, was, context, mini);
    const drawing = looks(card, options);
    if (node.drawing !== drawing) {
      node.drawing = drawing;
      drawCard(node, this.data, card, options);
    }
    return node;
  }

  options(id, card, frame, was, context, mini) {
    const { chrome } = this.data;
    const tags = [];
    const rings = [];
    const [attacker, target] = context.aim ?? [];
    if (attacker === id) { rings.push("att"); tags.push(["a", chrome.attacks, "sword"]); }
    else if (target === id) { rings.push("tgt"); tags.push(["q", chrome.target]); }
    else if (context.touched.has(id)) rings.push("now");
    if (this.view.selected === id) rings.push("sel");
    const under = Object.entries(frame.cards).filter(([, other]) => other.to === id);
    for (const [, other] of under) tags.push(["u", nameOf(this.data, other)]);
    const before = was?.cards[id];
    const changed = before ? this.data.board.card.values.filter((name) => valueOf(this.data, before, name) !== valueOf(this.data, card, name)) : [];
    return { mini, tags, rings, changed, open: this.data.game.view === null };
  }

  // Cards that left the table in this window by being destroyed: shown crossed out where they lay.
  gone(frame, was, context) {
    if (!was) return [];
    const crossed = Object.entries(this.data.board.marks).filter(([, shape]) => shape === "cross").map(([how]) => how);
    const lines = new Set(this.data.board.lines.map((line) => line.zone));
    return context.moves.filter((move) => crossed.includes(move.how)).flatMap(({ card: id }) => {
      const card = was.cards[id] ?? {};
      const stays = frame.cards[id] && lines.has(frame.cards[id].zone);
      if (stays || !lines.has(card.zone)) return [];
      return [{ id, card, seat: card.seat, zone: card.zone, at: was.zones[card.seat][card.zone].indexOf(id) }];
    });
  }

  ghostNode({ id, card }, context) {
    const node = this.view.cardButton(id);
    const attacks = context.aim?.[0] === id;
    drawCard(node, this.data, card, { gone: true, rings: attacks ? ["gone", "att"] : ["gone"], tags: [["x", this.data.chrome.destroyed]], open: true });
    return node;
  }

  backNode() {
    return h("span", { class: "bk", role: "img", "aria-label": this.data.chrome.hidden }, icon("back", 24));
  }

  showHand(side, ids, frame, context) {
    side.handCount.textContent = `${say(this.data, `zone.${this.data.board.hand}`)} ${ids.length}`;
    const nodes = ids.map((id) => this.cardNode(id, frame, null, context, true));
    side.hand.classList.toggle("many", ids.length > 8);
    side.hand.style.setProperty("--n", ids.length);
    if (nodes.length !== side.hand.children.length || nodes.some((node, i) => node !== side.hand.children[i])) {
      side.hand.replaceChildren(...nodes);
    }
  }

  showLife(life, frame, was) {
    const now = life.of(frame);
    const before = was ? life.of(was) : now;
    life.number.textContent = now;
    life.change.textContent = before === now ? "" : `${before} → ${now}`;
    life.deck?.setAttribute("aria-label", `${this.data.game.players[life.seat].name}: ${life.name} ${now}`);
    life.draw(now, before);
  }

  // Cards turned up from a pile in this window, beside the pile, with what becomes of them.
  showSpots(side, seat, frame, context) {
    const { board } = this.data;
    const latest = new Map();
    for (const { card, how } of context.spots) {
      if (frame.cards[card]?.seat === seat && board.spot[how]) latest.set(card, how);
    }
    const shown = [...latest].slice(-3);
    side.spot.classList.toggle("many", shown.length > 1);
    side.spot.replaceChildren(...shown.map(([id, how]) => {
      const node = this.view.cardButton(id);
      const card = { ...frame.cards[id], down: false };
      drawCard(node, this.data, card, { rings: context.touched.has(id) ? ["now"] : [], open: true });
      return h("div", { class: "spot" }, h("span", { class: how === Object.keys(board.spot)[0] ? "tag n st" : "tag q st" }, say(this.data, board.spot[how])), node);
    }));
  }

  sum(tally, seat, frame) {
    const sums = {};
    for (const symbol of tally.symbols) sums[symbol] = 0;
    for (const id of frame?.zones[seat][tally.zone] ?? []) {
      const card = frame.cards[id];
      if (!card || card.up === false) continue;
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
      h("b", { class: (before[symbol] ?? 0) === n ? "" : "chg-n" }, String(n)), h("em", {}, say(this.data, `${tally.words}.${symbol}`))));
    tally.element.replaceChildren(h("div", { class: "lab" }, h("span", {}, say(this.data, `term.${tally.title}`)), h("b", {}, String(total))), ...rows);
  }

  showPile(pile, ids, frame, context) {
    const top = ids.at(-1);
    const card = frame.cards[top];
    const shown = card ? h("span", {}) : h("span", { class: "card mini none" });
    if (card) drawCard(shown, this.data, { ...card, down: false, counters: undefined }, { mini: true, rings: context.touched.has(top) ? ["now"] : [], open: true });
    const label = say(this.data, `zone.${pile.zone}`);
    pile.element.setAttribute("aria-label", `${label} ${ids.length}`);
    pile.element.replaceChildren(shown, h("span", {}, h("b", {}, String(ids.length)), h("em", {}, label)));
  }

  showCounters(side, seat, frame, was) {
    const others = Object.entries(frame.seats[seat]).filter(([name]) => !this.data.life_counters.includes(name));
    side.counters.replaceChildren(...others.map(([name, value]) => h("span", { class: "ct" },
      h("span", {}, say(this.data, `counter.${name}`)), h("b", { class: was && was.seats[seat][name] !== value ? "chg-n" : "" }, String(value)))));
  }

  // The strip of a narrow screen: what stands at the sides of a wide one, as counts.
  showNarrow(side, seat, frame, hand) {
    const { board } = this.data;
    const sums = side.tallies.flatMap((tally) => Object.entries(this.sum(tally, seat, frame)));
    side.strip.replaceChildren(
      h("span", { class: "pr" }, sums.flatMap(([symbol, n]) => [pip(symbol, 13), h("b", {}, String(n))])),
      h("button", { class: "lab", type: "button", "aria-label": `${say(this.data, `zone.${board.hand}`)} ${hand.length}`, onclick: () => this.view.openZone(seat, board.hand) }, icon("back", 11, "height:15px"), ` ${hand.length}`),
      ...side.piles.map(({ zone }) => h("button", { class: "lab", type: "button", "aria-label": say(this.data, `zone.${zone}`), onclick: () => this.view.openZone(seat, zone) }, `✕ ${frame.zones[seat][zone]?.length ?? 0}`)),
      ...side.lives.map((life) => h("span", { class: "ds" }, life.small,
        life.change.textContent && h("span", { class: "chg-n" }, `${life.change.textContent.split(" ")[0]} →`),
        h("span", { class: "num", "data-seat": seat }, life.number.textContent))),
    );
  }

  showStrip(frame) {
    const { data } = this;
    const active = frame.turn > 0;
    const players = data.game.players;
    this.turn.replaceChildren(...active ? [seatIcon(frame.active), `${this.view.unitName} ${frame.turn} · ${players[frame.active].name}`] : [say(data, `phase.${frame.phase || "set_up"}`)]);
    const at = data.phases.indexOf(frame.phase);
    [...this.phases.children].forEach((item, i) => {
      item.className = i === at ? "on" : i < at ? "dn" : "";
      if (i === at) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    this.phases.hidden = !active;
    const asked = frame.asked;
    this.waiting.replaceChildren(...asked ? [seatIcon(asked.seat), h("span", {}, say(data, `ask.${asked.what}`))] : []);
    const result = this.view.spoilerFree && !frame.result ? null : frame.result;
    this.result.hidden = !result;
    if (result) {
      const winner = result.winner === null ? data.chrome.draw : data.chrome.wins.replace("{player}", players[result.winner].name);
      this.result.replaceChildren(...result.winner === null ? [] : [seatIcon(result.winner)], h("b", {}, winner), h("span", {}, say(data, `reason.${result.reason}`)));
    }
  }

  // What waits for its effect, the next to happen first.
  showStack(frame) {
    const { data } = this;
    const items = [...frame.pile].reverse();
    this.stack.replaceChildren(...items.slice(0, 4).map((item, i) => {
      const chip = h("button", { class: `stki f-${data.cards[item.code]?.frame ?? "a1"}`, type: "button" }, h("i", {}), seatIcon(item.seat),
        h("b", {}, data.cards[item.code]?.name ?? data.chrome.hidden), h("span", {}, data.chrome[item.what] ?? item.what));
      this.view.watchCard(chip, item.card);
      if (i === 0) chip.classList.add("next");
      return chip;
    }), ...items.length > 4 ? [h("span", { class: "lab" }, `+${items.length - 4}`)] : []);
  }

  // --- arrow and motion ------------------------------------------------------------------------------------------

  // Up from the attacker, along the gutter, into the target; never across a card's words.
  drawArrow() {
    const [attacker, target] = this.context?.aim ?? [];
    this.arrow.replaceChildren();
    if (target === null || target === undefined) return;
    const from = this.place(attacker);
    const to = target < 2 ? this.lifeNode(target) : this.place(target);
    if (!from || !to) return;
    const area = this.element.getBoundingClientRect();
    const a = from.getBoundingClientRect();
    const b = to.getBoundingClientRect();
    const gutter = this.gutter.getBoundingClientRect();
    const up = a.top > gutter.top;
    const x1 = a.left + a.width / 2 - area.left;
    const y1 = (up ? a.top - 3 : a.bottom + 13) - area.top; // below its tag
    const x2 = b.left + b.width / 2 - area.left;
    const y2 = (up ? b.bottom + 5 : b.top - 5) - area.top;
    const y = gutter.top + gutter.height / 2 - area.top;
    const way = x2 < x1 ? -1 : 1;
    const r = Math.min(12, Math.abs(x1 - x2) / 2);
    const s = up ? 1 : -1;
    const head = gutter.height < 26 ? 11 : 15;
    const line = `M${x1} ${y1}V${y + s * r}Q${x1} ${y} ${x1 + way * r} ${y}H${x2 - way * r}Q${x2} ${y} ${x2} ${y - s * r}V${y2 + s * head * 0.8}`;
    const tip = `M${x2} ${y2}l${head * 0.58} ${s * head}h${-head * 1.16}Z`;
    this.arrow.setAttribute("width", area.width);
    this.arrow.setAttribute("height", area.height);
    this.arrow.append(...[["cas", line], ["cas", tip], ["shaft", line], ["head", tip]].map(([name, d]) => svg("path", { class: name, d })));
  }

  // Where a card is drawn on the table, or was before it was destroyed.
  place(id) {
    const node = this.nodes.get(id);
    return node?.isConnected ? node : this.element.querySelector(`.gone[data-card="${id}"]`);
  }

  lifeNode(seat) {
    return [...this.element.querySelectorAll(`[data-seat="${seat}"]`)].find((node) => node.getBoundingClientRect().width > 0);
  }

  places() {
    const places = new Map();
    for (const [id, node] of this.nodes) if (node.isConnected) places.set(id, node.getBoundingClientRect());
    return places;
  }

  // What has moved glides from where it was.
  glide(old) {
    for (const [id, node] of this.nodes) {
      if (!node.isConnected) continue;
      const from = old.get(id);
      const to = node.getBoundingClientRect();
      if (!from) {
        node.animate([{ opacity: 0, transform: "scale(.92)" }, { opacity: 1, transform: "none" }], { duration: 180, easing: "ease-out" });
      } else if (Math.abs(from.left - to.left) + Math.abs(from.top - to.top) > 1 && to.width > 0) {
        const move = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width}, ${from.height / to.height})`;
        node.animate([{ transform: move, transformOrigin: "0 0", zIndex: 5 }, { transform: "none", transformOrigin: "0 0", zIndex: 5 }], { duration: 180, easing: "ease-out" });
      }
    }
  }
}
