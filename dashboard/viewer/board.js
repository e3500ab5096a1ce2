// The table as a whole: which cards lie where, who attacks whom, what waits. Where everything stands is for its layout:
// lines of cards (lines.js), or rows of parts (rows.js); how things move is for motion.js.

// How many cards stand side by side: known to the row and, where they ask for it, to its cards. What is drawn on a card
// does not inherit it, so a hand that grows is not styled anew throughout.
try {
  CSS.registerProperty({ name: "--cards", syntax: "*", inherits: false });
} catch { /* registered already, by a viewer before this one */ }

class Board {
  constructor(view) {
    this.view = view;
    this.data = view.data;
    this.nodes = new Map();
    this.motion = new Motion(this);
    this.element = h("div", { class: "board", role: "group", "aria-label": this.data.chrome.table });
    this.build();
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  // Places for everything, the bottom seat's mirrored. Called anew when the board is flipped.
  build() {
    const { data } = this;
    this.nodes.clear();
    this.seats = this.view.flipped ? [0, 1] : [1, 0];
    this.sides = {};
    this.stages = data.board.stages.length ? data.board.stages : data.phases.map((phase) => ({ phase, of: "" }));
    this.phases = h("ol", { class: "phs" }, this.stages.map(({ phase }) => h("li", { "data-phase": phase }, h("span", {}, say(data, `phase.${phase}`)))));
    this.turn = h("b", { class: "tn" });
    this.result = h("span", { class: "res" });
    this.waiting = h("span", { class: "may" });
    this.status = h("p", { class: "sts", "aria-hidden": "true" }); // the same in one line, for narrow screens
    this.course = h("div", { class: "phz" }, this.turn, this.phases, this.result, this.waiting);
    this.stack = h("div", { class: "stk" });
    this.gutter = h("div", { class: "gut" });
    this.arrow = svg("svg", { class: "arrow", "aria-hidden": "true" });
    this.layout = data.board.rows.length ? new Rows(this) : new Lines(this);
    this.element.replaceChildren(this.status, this.layout.element, this.arrow);
    this.fit();
  }

  // Sizes follow the space there is: `--u` is one pixel of the drawing.
  fit() {
    const { width, height } = this.element.getBoundingClientRect();
    if (!width) return;
    const wide = this.view.root.clientWidth;
    const phone = wide < 700;
    const scale = this.layout.scale(width, height, phone, wide);
    this.element.classList.toggle("tight", scale < 0.85);
    this.element.style.setProperty("--u", Math.max(0.6, Math.min(phone ? 1.5 : 1.35, scale)).toFixed(4));
    this.path = this.motion.still(() => this.arrowPath());
    this.settle();
  }

  // Shows `frame`; `was` is the frame before the window of steps that counts as now. `look` and `settle` follow.
  show(frame, was, context) {
    this.frame = frame;
    this.context = context;
    this.motion.begin(context);
    this.tied = new Map();
    for (const [id, card] of Object.entries(frame.cards)) {
      if (card.to !== undefined) this.tied.set(card.to, [...this.tied.get(card.to) ?? [], { id: Number(id), card }]);
    }
    this.layout.show(frame, was, context);
    this.showCourse(frame);
    this.showStack(frame);
  }

  // The card as it stands on the table or in a hand: one element for as long as it is there.
  cardNode(id, frame, was, context, form = {}) {
    const card = frame.cards[id];
    if (!card) return this.backNode();
    let node = this.nodes.get(id);
    if (!node) {
      node = this.view.cardButton(id);
      this.nodes.set(id, node);
    }
    const options = { ...this.options(id, card, frame, was, context), ...form };
    const drawing = looks(card, options);
    if (node.drawing !== drawing) {
      node.drawing = drawing;
      drawCard(node, this.data, card, options);
    }
    return node;
  }

  options(id, card, frame, was, context) {
    const { chrome, board, game } = this.data;
    const tags = [];
    const rings = [];
    const [attacker, target] = context.aim ?? this.layout.aim?.(frame) ?? [];
    if (attacker === id) { rings.push("att"); tags.push(["a", chrome.attacks, "sword"]); }
    else if (target === id) { rings.push("tgt"); tags.push(["q", chrome.target]); }
    else if (context.effect?.aims.includes(Number(id))) { rings.push("aim"); tags.push(["q", chrome.target]); }
    else if (context.touched.has(id)) rings.push("now");
    if (this.view.selected === id) rings.push("sel");
    const changes = Object.values(frame.modifiers).filter((effect) => effect.on === id);
    for (const [name, word] of Object.entries(board.card.signs)) {
      if (valueOf(this.data, card, name) > 0) tags.push(["d", gain(changes, id, board.card.values[0]), null, say(this.data, word)]);
    }
    const tied = (this.tied.get(id) ?? []).map((other) => this.attachment(other, changes));
    const before = was?.cards[id];
    const changed = before ? board.card.values.filter((name) => valueOf(this.data, before, name) !== valueOf(this.data, card, name)) : [];
    return { tags, rings, changed, tied, edges: this.layout.edges?.(id, frame), open: game.view === null || game.view === card.seat };
  }

  // What hangs on a card: its sign, its name, and what it changes of the values that stand on the card.
  attachment({ id, card }, changes) {
    const { board } = this.data;
    const sign = board.card.attachments[card.attachment] ?? "";
    const adds = changes.filter((effect) => effect.card === id && effect.add !== undefined && board.card.values.includes(effect.name));
    return { sign, attachment: card.attachment, name: nameOf(this.data, card), adds: adds.map(({ name, add }) => [name, add]) };
  }

  // Cards that left the table in this window by being destroyed: shown crossed out where they lay.
  gone(frame, was, context) {
    if (!was) return [];
    const crossed = Object.entries(this.data.board.marks).filter(([, shape]) => shape === "cross").map(([how]) => how);
    const lines = new Set(this.data.board.lines.map((line) => line.zone));
    return context.moves.filter((move) => crossed.includes(move.move_kind)).flatMap(({ card: id }) => {
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

  // Cards of a zone in their places: at least `places` of them, with those that are just gone.
  showPlaces(element, seat, zone, least, frame, was, context, gone) {
    const ids = [...frame.zones[seat][zone]];
    for (const ghost of gone) {
      if (ghost.seat === seat && ghost.zone === zone) ids.splice(Math.min(ghost.at, ids.length), 0, ghost);
    }
    const places = Math.max(least, ids.length);
    element.style.setProperty("--cards", places);
    element.classList.toggle("few", places < 5);
    while (element.children.length > places) element.lastChild.remove();
    while (element.children.length < places) element.append(h("div", {}));
    for (let i = 0; i < places; i++) {
      const slot = element.children[i];
      const id = ids[i];
      slot.className = id === undefined ? "slot e" : "slot";
      if (id === undefined) slot.replaceChildren();
      else {
        const node = typeof id === "number" ? this.cardNode(id, frame, was, context) : this.ghostNode(id, context);
        if (slot.firstChild !== node || slot.children.length > 1) slot.replaceChildren(node);
      }
    }
  }

  // A seat's counters that are not shown elsewhere and say something; what has just changed says something too.
  showCounters(element, seat, frame, was, elsewhere) {
    const { counters, board, life_counters: lives } = this.data;
    const told = Object.entries(frame.seats[seat]).filter(([name, value]) => {
      if (lives.includes(name) || elsewhere.has(name) || counters[name]?.quiet) return false;
      return value !== (board.usual[name] ?? 0) || (was && was.seats[seat][name] !== value);
    });
    put(element, ...told.map(([name, value]) => h("span", { class: "ct" },
      h("span", {}, say(this.data, `counter.${name}`)), h("b", { class: was && was.seats[seat][name] !== value ? "chg-n" : "" }, this.worded(name, value)))));
  }

  // A counter's value as a number, or as the word that it stands for.
  worded(name, value) {
    const word = this.data.counters[name]?.words?.[value];
    return word === undefined ? digits(value) : say(this.data, `${name}.${word}`);
  }

  // Turn and phases, or the result, and what is waited for.
  showCourse(frame) {
    const { data } = this;
    const { turn, active, phase, result } = frame;
    const phaseName = say(data, `phase.${phase || "set_up"}`);
    const mover = turn > 0 && this.layout.names ? ` · ${data.game.players[active].name}` : "";
    put(this.turn, ...turn > 0 ? [seatIcon(active), h("span", {}, `${this.view.unitName} ${turn}${mover}`)] : [phaseName]);
    this.showPhases(frame);
    this.phases.hidden = turn === 0 || Boolean(result);
    put(this.result, ...this.ending(result));
    put(this.waiting, ...this.waits(frame));
    this.waiting.title = this.waiting.textContent;
    const now = result ? [h("span", { class: "res" }, this.ending(result))] : [h("i", {}, phaseName), h("span", { class: "may" }, this.waits(frame))];
    put(this.status, ...turn > 0 ? [seatIcon(active), h("b", {}, `${this.view.unitName} ${turn}`)] : [], ...now);
  }

  showPhases({ phase, phase_seat: seat, active }) {
    const of = seat === null ? "" : seat === active ? "turn" : "other";
    const at = this.stages.findIndex((stage) => stage.phase === phase && (!stage.of || stage.of === of));
    [...this.phases.children].forEach((item, i) => {
      item.className = i === at ? "on" : i < at ? "dn" : "";
      if (i === at) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      const whose = { turn: active, other: 1 - active }[this.stages[i].of];
      put(item, ...whose === undefined ? [] : [seatIcon(whose)], item.lastChild);
    });
  }

  // Who has won, and by what.
  ending(result) {
    if (!result) return [];
    const { data } = this;
    const { winner, reason } = result;
    const told = winner === null ? data.chrome.draw : data.chrome.wins.replace("{player}", () => data.game.players[winner].name);
    return [winner !== null && seatIcon(winner), h("b", {}, told), h("span", {}, say(data, `reason.${reason}`))];
  }

  // Who is asked what; where it is about what the other seat does, that a reaction is waited for.
  waits({ asked, active, stack }) {
    if (!asked) return [];
    const { data } = this;
    const { name } = data.game.players[asked.seat];
    const others = asked.seat !== active || (stack.at(-1)?.seat ?? asked.seat) !== asked.seat;
    const reacts = others && data.words[`waiting.${asked.what}`];
    const [before, after] = reacts ? reacts.split("{player}") : ["", ` ${say(data, `question.${asked.what}`)}`];
    return [seatIcon(asked.seat), h("span", {}, before, h("b", {}, name), after)];
  }

  // What waits for its effect, the next to happen first.
  showStack(frame) {
    const { data } = this;
    const items = [...frame.stack].reverse();
    put(this.stack, ...items.slice(0, 4).map((item, i) => {
      const chip = h("button", { class: `stki f-${data.cards[item.code]?.frame ?? "indigo"}`, type: "button" }, h("i", {}), seatIcon(item.seat),
        h("b", {}, data.cards[item.code]?.name ?? data.chrome.hidden), h("span", {}, data.chrome[item.what] ?? item.what));
      this.view.watchCard(chip, item.card);
      chip.dataset.item = item.item;
      chip.classList.toggle("aim", this.context.effect?.aims.includes(item.item) ?? false);
      if (i === 0) chip.classList.add("next");
      return chip;
    }), ...items.length > 4 ? [h("span", { class: "lab" }, `+${items.length - 4}`)] : []);
  }

  // --- arrow -----------------------------------------------------------------------------------------------------

  // What is to be known of the page once all is drawn: where the arrow goes, and what has moved. Reads it only.
  look() {
    this.path = this.arrowPath();
    this.motion.look(this.path.length > 0 && this.aims() !== this.aimed);
  }

  // Draws the arrow, and sets the motion going.
  settle() {
    this.aimed = this.aims();
    put(this.arrow, ...this.path.map(([name, d]) => svg("path", { class: name, d })));
    this.motion.start();
  }

  aims() {
    return `${this.context?.aim} ${this.context?.effect?.aims}`;
  }

  // From the attacker to what it attacks, and from an effect to what it is aimed at.
  arrowPath() {
    const [attacker, target] = this.context?.aim ?? [];
    const effect = this.context?.effect;
    const paths = target === null || target === undefined ? [] : this.route(this.place(attacker), this.entity(target));
    const room = effect?.item || this.gutter.isConnected; // a blow has no arrow where lanes lie between the sides
    for (const aim of (room && effect?.aims) || []) {
      paths.push(...this.route(this.item(effect.item) ?? this.place(effect.card), this.entity(aim)).map(([name, d]) => [`${name} eff`, d]));
    }
    return paths;
  }

  // Out of `from`, along the gutter, into `to`; never across a card's words.
  route(from, to) {
    if (!from || !to || from === to) return [];
    const area = this.element.getBoundingClientRect();
    const within = (node) => {
      const box = node.getBoundingClientRect();
      return new DOMRect(box.x - area.left + this.element.scrollLeft, box.y - area.top + this.element.scrollTop, box.width, box.height);
    };
    const [a, b] = [from, to].map(within);
    if (!a.width || !b.width) return [];
    const gutter = this.gutter.isConnected ? within(this.gutter) : new DOMRect(0, (Math.max(a.top, b.top) + Math.min(a.bottom, b.bottom)) / 2, 0, 0);
    if (Math.abs(a.top - b.top) < a.height / 2) return sideways(a, b);
    const beside = gutter.width > 0 && (gutter.left >= a.right - 2 || gutter.right <= a.left + 2);
    if (beside && gutter.top < a.bottom && gutter.bottom > a.top) return around(a, b, gutter);
    const y = gutter.top + gutter.height / 2;
    const inside = a.top <= y && a.bottom >= y; // it waits in the gutter itself
    const [out, into] = [a, b].map((box) => (box.top + box.height / 2 > y ? 1 : -1)); // below or above
    const way = b.left + b.width / 2 < a.left + a.width / 2 ? -1 : 1;
    const x1 = inside ? (way < 0 ? a.left : a.right) : a.left + a.width / 2;
    const y1 = out > 0 ? a.top - 3 : a.bottom + 13; // below its tag
    const x2 = b.left + b.width / 2;
    const y2 = into > 0 ? b.top - 5 : b.bottom + 5;
    const r = Math.min(12, Math.abs(x1 - x2) / 2);
    const head = gutter.height < 26 ? 11 : 15;
    const begin = inside ? `M${x1} ${y}` : `M${x1} ${y1}V${y + out * r}Q${x1} ${y} ${x1 + way * r} ${y}`;
    const line = `${begin}H${x2 - way * r}Q${x2} ${y} ${x2} ${y + into * r}V${y2 - into * head * 0.8}`;
    const tip = `M${x2} ${y2}l${head * 0.58} ${-into * head}h${-head * 1.16}Z`;
    return [["cas", line], ["cas", tip], ["shaft", line], ["head", tip]];
  }

  // Where a card, a player or what waits on the stack is drawn.
  entity(id) {
    return id < 2 ? this.lifeNode(id) : this.place(id) ?? this.item(id);
  }

  item(id) {
    return id && this.element.querySelector(`[data-item="${id}"]`);
  }

  // Where a card is drawn on the table, or was before it was destroyed.
  place(id) {
    const node = this.nodes.get(id);
    return node?.isConnected ? node : this.element.querySelector(`.gone[data-card="${id}"]`);
  }

  // Where a player is to be hit: the empty place of a card that would stand before it, else its life.
  lifeNode(seat) {
    const nodes = [...this.element.querySelectorAll(`[data-seat="${seat}"]`)].filter((node) => node.getBoundingClientRect().width > 0);
    return nodes.find((node) => node.classList.contains("bslot")) ?? nodes[0];
  }
}

// Between two cards that stand beside each other.
function sideways(a, b) {
  const way = b.left > a.left ? 1 : -1;
  const y = (Math.max(a.top, b.top) + Math.min(a.bottom, b.bottom)) / 2;
  const x1 = way > 0 ? a.right + 4 : a.left - 4;
  const x2 = way > 0 ? b.left - 3 : b.right + 3;
  return [["shaft", `M${x1} ${y}H${x2 - way * 8}`], ["head", `M${x2} ${y}l${-way * 10} 6v-12Z`]];
}

// From a card beside the gutter to one above or below both: out of its side, along the gutter.
function around(a, b, gutter) {
  const way = gutter.left > a.left ? 1 : -1;
  const down = b.top > a.top ? 1 : -1;
  const x1 = way > 0 ? a.right + 4 : a.left - 4;
  const x2 = gutter.left + gutter.width / 2;
  const y1 = a.top + a.height / 2;
  const y2 = down > 0 ? b.top - 5 : b.bottom + 5;
  const x3 = x2 > b.left + 8 && x2 < b.right - 8 ? x2 : b.left + b.width / 2;
  const edge = down > 0 ? a.bottom + 9 : a.top - 9;
  const r = Math.min(8, Math.abs(x2 - x1));
  const line = `M${x1} ${y1}H${x2 - way * r}Q${x2} ${y1} ${x2} ${y1 + down * r}V${edge}H${x3}V${y2 - down * 9}`;
  const tip = `M${x3} ${y2}l6.4 ${-down * 11}h-12.8Z`;
  return [["cas", line], ["cas", tip], ["shaft", line], ["head", tip]];
}

// "+400": what a card has gained of a value by its own lasting effects.
function gain(changes, id, name) {
  const sum = changes.filter((effect) => effect.card === id && effect.name === name).reduce((total, { add }) => total + (add ?? 0), 0);
  return sum ? signed(sum) : "";
}
