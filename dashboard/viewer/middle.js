// What stands between the sides: how fists were met, reckonings step by step, what waits in a chain, the two that fight.

function box(kind, title, note) {
  const heading = h("h4", {}, h("span", { class: "ti" }, title), h("span", { class: "no" }, note));
  const element = h("section", { class: `box ${kind}`, "aria-label": title }, heading);
  return { element, heading };
}

// Reckonings of the phase: [{source, target, steps: [{step, value, by}]}], one for each of the steps that begin one.
function reckonings(frame, first) {
  const found = [];
  for (const [source, target, step, value, by] of frame.damage_steps) {
    const last = found.at(-1);
    const same = last && last.source === source && last.target === target;
    if (!same || first.includes(step)) found.push({ source, target, steps: [] });
    found.at(-1).steps.push({ step, value, by });
  }
  return found;
}

// "2700 → 2350 → 1950": the last values of a life in this phase.
function path(rows, seat, life) {
  const { data } = rows;
  const values = rows.course(seat);
  const shown = values.slice(-4);
  const parts = shown.flatMap((value, i) => [i > 0 && h("i", {}, " → "), i === shown.length - 1 && i > 0 ? h("b", {}, digits(value)) : digits(value)]);
  return h("div", { class: "path" }, h("span", {}, seatIcon(seat), `${data.game.players[seat].name} ${say(data, `counter.${life}`)}`), values.length > shown.length && h("i", {}, "… → "), parts);
}

class MeetingsPart extends Piece {
  constructor(rows, part) {
    super(rows, part, null);
    this.element = h("div", { class: "lanes", role: "group", "aria-label": say(this.data, "phase.battle") });
  }

  show(frame) {
    const { data } = this;
    const ways = Object.keys(data.board.card.sides);
    const lanes = ways.map((way) => [way, this.lanes(way, frame)]);
    const some = lanes.filter(([, fists]) => fists.length > 0);
    this.element.classList.toggle("quiet", some.length === 0);
    const up = this.board.seats[0] === frame.active;
    put(this.element, ...(some.length ? some : lanes).map(([way, fists]) =>
      h("div", { class: "dir", style: `flex:${Math.max(1, fists.length)} 1 0` }, h("div", { class: "dh" }, `${ARROWS[way] ?? ""} ${say(data, `direction.${way}`)}`), h("div", { class: "lns" }, fists.map((fist) => this.lane(fist, way, frame, up))))));
  }

  // The fists in one direction that were met, then those still to be.
  lanes(way, frame) {
    const met = frame.meetings.filter(([direction]) => direction === way).map(([, source, target, outcome]) => ({ source, target, outcome }));
    const [fist] = this.data.board.card.sides[way];
    const cards = frame.turn > 0 ? frame.zones[frame.active][this.part.zone] : [];
    const waiting = cards.filter((id) => frame.cards[id] && valueOf(this.data, frame.cards[id], fist) > 0 && !met.some(({ source }) => source === id));
    return [...met, ...waiting.map((source) => ({ source, target: null, outcome: null }))];
  }

  lane({ source, target, outcome }, way, frame, up) {
    const { data } = this;
    const [answer, fate] = this.part.outcomes[outcome] ?? ["none", outcome ? "" : "waits"];
    const answered = answer !== "none" && outcome;
    const said = outcome ? say(data, `outcome.${outcome}`) : "…";
    const clash = answer === "fist" && [this.last(source, target, frame), this.last(target, source, frame)];
    const other = answered ? nameOf(data, frame.cards[target]) : outcome ? data.chrome.nothing : "";
    const name = nameOf(data, frame.cards[source]);
    const fresh = frame.meetings.at(-1);
    const now = outcome && fresh[0] === way && fresh[1] === source && frame.damage_steps.at(-1)?.[1] !== 0 && frame.damage_steps.at(-1)?.[1] !== 1;
    const label = [`${say(data, `direction.${way}`)}: ${name}`, outcome ? said : data.chrome.waits, clash && clash.join(" : "), answered && other].filter(Boolean).join(", ");
    return h("div", { class: `lane ${fate} ${up ? "dn" : "up"} ${now ? "now" : ""}`, role: "group", "aria-label": label },
      h("span", { class: "wy" }, ARROWS[way] ?? ""),
      h("span", { class: answered ? "lc df" : "lc df no" }, h("span", { class: "lnm" }, other), h("span", { class: `cg ${answered ? answer : "nil"}` }, answered ? icon(answer, 16) : "–")),
      h("span", { class: "ou" }, h("i", { class: "ray" }), h("b", {}, said), clash && h("em", {}, clash.join(" : "))),
      h("span", { class: "lc at" }, h("span", { class: "cg fist" }, icon("fist", 16)), h("span", { class: "lnm" }, name)));
  }

  // Where the reckoning of one card against another has come to.
  last(source, target, frame) {
    return frame.damage_steps.findLast(([a, b]) => a === source && b === target)?.[3] ?? "–";
  }
}

const ARROWS = { up: "↑", right: "→", down: "↓", left: "←" };

class StrikesPart extends Piece {
  constructor(rows, part) {
    super(rows, part, null);
    const { element } = box("str", say(this.data, part.title), say(this.data, part.note));
    this.body = h("tbody", {});
    this.paths = h("div", { class: "paths" });
    element.append(h("table", {}, this.body), this.paths);
    this.element = element;
  }

  show(frame) {
    const { data, part } = this;
    const strikes = reckonings(frame, part.first).filter(({ target }) => target < 2);
    const struck = new Set(strikes.map(({ source }) => source));
    const coming = this.coming(frame).filter((id) => !struck.has(id));
    this.element.classList.toggle("none", strikes.length + coming.length === 0);
    this.element.classList.toggle("idle", strikes.length === 0);
    put(this.body, ...strikes.map((strike, i) => this.row(strike, frame, i === strikes.length - 1)),
      ...coming.map((id) => h("tr", { class: "next" }, h("td", {}, seatIcon(frame.cards[id].seat), nameOf(data, frame.cards[id])), h("td", {}), h("td", {}), h("td", {}, "…"))));
    const seats = [...new Set(strikes.map(({ target }) => target))];
    put(this.paths, ...seats.map((seat) => path(this.rows, seat, part.life)));
  }

  // Cards that got through and have not struck yet.
  coming(frame) {
    const ids = frame.meetings.flatMap(([, source, target, outcome]) => {
      const fate = this.rows.outcomes[outcome]?.[1];
      return fate === "through" ? [source] : fate === "back" ? [target] : [];
    });
    return [...new Set(ids)].filter((id) => frame.cards[id]);
  }

  row({ source, target, steps }, frame, last) {
    const { data } = this;
    const [first, ...others] = steps;
    const terms = [];
    const said = [`${say(data, `step.${first.step}`)} ${digits(first.value)}`];
    let value = first.value;
    for (const { step, value: next, by } of others) {
      const cause = [say(data, `step.${step}`), by !== null && nameOf(data, frame.cards[by])].filter(Boolean).join(": ");
      const change = this.part.sets.includes(step) ? `→ ${digits(next)}` : signed(next - value);
      terms.push(h("u", { class: next < value ? "m" : "", title: cause }, ` ${change}`));
      said.push(`${cause} ${change}`);
      value = next;
    }
    const card = frame.cards[source];
    return h("tr", { class: last ? "now" : "done", "aria-label": `${nameOf(data, card)}, ${said.join(", ")}: ${digits(value)}` },
      h("td", {}, card && seatIcon(card.seat), nameOf(data, card)), h("td", { class: "c" }, digits(first.value), terms), h("td", {}, h("b", {}, digits(value))), h("td", {}, last ? "▶" : "✓"));
  }
}

class ReckoningPart extends Piece {
  constructor(rows, part) {
    super(rows, part, null);
    const { element, heading } = box("rk", "", say(this.data, part.note));
    this.heading = heading;
    this.body = h("tbody", {});
    this.foot = h("div", { class: "paths" });
    this.rivals = part.rivals && new Rivals(this, part.rivals);
    element.append(h("table", {}, this.body), this.rivals?.element ?? "", this.foot);
    this.element = element;
  }

  show(frame) {
    const { data, part } = this;
    const all = reckonings(frame, part.first);
    const group = all.at(-1);
    const seat = group ? group.target < 2 ? group.target : frame.cards[group.target]?.seat ?? 0 : null;
    const title = seat === null ? say(data, part.idle) : say(data, part.title).replace("{player}", () => data.game.players[seat].name);
    const met = !group && this.rivals && frame.turn > 0;
    this.heading.firstChild.textContent = title;
    this.heading.lastChild.textContent = say(data, met ? part.rivals.note : part.note);
    this.element.setAttribute("aria-label", title);
    this.element.classList.toggle("idle", !group);
    this.element.classList.toggle("met", Boolean(met));
    if (met) {
      this.rivals.show(frame);
      put(this.foot, ...this.rivals.race(frame));
      return;
    }
    const rows = this.lines(group, frame);
    const at = frame.damage_steps.at(-1)?.[2];
    const own = part.rows.findIndex(({ steps }) => steps.includes(at));
    const current = own < 0 ? rows.findLastIndex(({ told }) => told) : own;
    put(this.body, ...rows.map(({ word, terms, value, told }, i) => h("tr", { class: i === current ? "now" : told ? "" : value === "" ? "same untold" : "same" },
      h("td", {}, h("i", {}, String(i + 1))), h("td", {}, word), h("td", {}, terms), h("td", {}, value))));
    put(this.foot, ...seat === null ? [] : [path(this.rows, seat, part.life)]);
  }

  // Each declared step: its word, why, and the value after it. A step that changes nothing is not recorded, so it is told
  // as soon as a later one is.
  lines(group, frame) {
    const { data, part } = this;
    const known = part.rows.flatMap(({ steps }) => steps);
    const reached = group?.steps.some(({ step }) => !known.includes(step)) ? Infinity : part.rows.findLastIndex(({ steps }) => group?.steps.some(({ step }) => steps.includes(step)));
    let value = null;
    let over = !group;
    return part.rows.map((row, i) => {
      const word = say(data, row.word);
      const before = value;
      const steps = (row.repeats ? frame.damage_steps.map(([, , step, after]) => ({ step, value: after })) : group?.steps ?? []).filter(({ step }) => row.steps.includes(step));
      const told = steps.length > 0;
      if (told && !row.repeats) value = steps.at(-1).value;
      if ((over || i > reached) && !told) return { word, terms: [], value: "", told };
      const terms = this.terms(row, steps, before, group, frame, told);
      over = over || (part.stops && value !== null && value <= 0) || steps.some(({ step }) => part.ends.includes(step));
      const amount = !row.repeats ? digits(value) : told ? `2 × ${steps.at(-1).value}` : "";
      return { word, terms, value: amount, told };
    });
  }

  terms(row, steps, before, group, frame, told) {
    const { data } = this;
    const card = frame.cards[group[row.at]];
    if (row.steps.length > 1) return this.sum(row, steps, group, frame);
    if (row.causes) return this.causes(row.causes, group[row.at], frame);
    if (!row.against) return card ? nameOf(data, card) : [];
    const sides = [group.source, group.target].map((id) => (frame.cards[id] ? this.board.worded(row.against, valueOf(data, frame.cards[id], row.against) ?? 0) : "–"));
    const factor = row.factor && told && before ? steps.at(-1).value / before : 1;
    const mark = row.factor ? (factor > 1 ? h("u", {}, `× ${Math.round(factor)}`) : told ? h("u", { class: "m" }, `÷ ${Math.round(1 / factor)}`) : "") : told ? h("u", {}, say(data, `step.${row.steps[0]}`)) : "";
    return [`${row.factor ? "" : `${say(data, `counter.${row.against}`)} `}${sides.join(" : ")} `, mark];
  }

  // "1800 +300 Gale Pike − 1100": printed, what changes it, and what is taken off.
  sum(row, steps, group, frame) {
    const { data } = this;
    if (steps.length === 0) return [];
    const [first, ...others] = steps;
    const printed = data.cards[frame.cards[group.source]?.code]?.stats[row.causes];
    const causes = this.causes(row.causes, group.source, frame);
    const adds = Object.values(frame.modifiers).filter((effect) => effect.on === group.source && effect.name === row.causes);
    const told = adds.every(({ add }) => add !== undefined) && printed + adds.reduce((sum, { add }) => sum + add, 0) === first.value;
    let value = first.value;
    const rest = others.map(({ value: next }) => {
      const text = ` ${signed(next - value).replace("−", "− ")}`;
      value = next;
      return text;
    });
    return [...told ? [`${printed} `, ...causes] : [digits(first.value)], ...rest];
  }

  causes(name, id, frame) {
    const { data } = this;
    return Object.values(frame.modifiers).filter((effect) => effect.on === id && effect.name === name).flatMap((effect, i) => [
      i > 0 && ", ", `${nameOf(data, frame.cards[effect.card])} `, h("u", { class: effect.add < 0 ? "m" : "" }, effect.add === undefined ? `= ${effect.be}` : signed(effect.add))]);
  }
}

class ChainPart extends Piece {
  constructor(rows, part) {
    super(rows, part, null);
    const { element } = box("chn", say(this.data, part.title), say(this.data, part.note));
    this.list = h("ol", {});
    element.append(this.list);
    this.element = element;
  }

  show(frame, was, context) {
    const { data, part, rows } = this;
    const waiting = new Map(frame.stack.map((item, i) => [item.card, i]));
    const lying = [0, 1].flatMap((seat) => frame.zones[seat][part.zone]).filter((id) => frame.cards[id]);
    const ids = [...new Set([...lying, ...waiting.keys()])].filter((id) => frame.cards[id]);
    const used = new Map(ids.map((id) => [id, this.since(id)]));
    const next = frame.stack.at(-1)?.card;
    this.element.classList.toggle("none", ids.length === 0);
    this.list.classList.toggle("long", ids.length > 2);
    put(this.list, ...ids.sort((a, b) => used.get(b) - used.get(a)).map((id) => {
      const card = frame.cards[id];
      const face = data.cards[card.code];
      const state = !waiting.has(id) ? ["✓", data.chrome.settled] : id === next ? ["▶", data.chrome.next_up] : ["…", data.chrome.waits];
      const button = h("button", { type: "button", class: waiting.has(id) ? (id === next ? "next" : "wt") : "", "aria-label": `${nameOf(data, card)}, ${state[1]}` }, seatIcon(card.seat),
        h("span", {}, h("b", {}, nameOf(data, card)), h("small", {}, face?.text.join(" ") ?? "")), h("em", {}, state[0]));
      rows.view.watchCard(button, id);
      const { item } = frame.stack[waiting.get(id)] ?? {};
      if (item) button.dataset.item = item;
      button.classList.toggle("aim", context.effect?.aims.includes(item) ?? false);
      return h("li", {}, button);
    }));
  }

  // The step at which a card was last moved.
  since(id) {
    const { replay, n } = this.rows.view;
    for (let step = n; step > 0; step--) if (replay.now[step].move_kind && replay.now[step].cards[0] === id) return step;
    return 0;
  }
}

class DuelPart extends Piece {
  constructor(rows, part) {
    super(rows, part, null);
    this.slots = this.board.seats.map((seat) => ({ seat, place: h("div", { class: "bslot" }) }));
    this.element = h("div", { class: "stg", role: "group", "aria-label": say(this.data, `zone.${part.zone}`) }, this.slots[0].place, this.board.gutter, this.slots[1].place);
  }

  show(frame, was, context) {
    const { data, part, board } = this;
    for (const { seat, place } of this.slots) {
      const id = frame.zones[seat][part.zone][0];
      const aimed = id === undefined && context.aim?.[1] === seat; // nobody stands before the player
      place.classList.toggle("e", id === undefined);
      place.classList.toggle("tgt", aimed);
      if (id === undefined) place.setAttribute("data-seat", seat);
      else place.removeAttribute("data-seat");
      const node = id === undefined ? h("span", { class: "lab" }, seatIcon(seat), ` ${aimed ? this.player(seat) : say(data, `zone.${part.zone}`)}`) : board.cardNode(id, frame, was, context, { anatomy: "stage" });
      if (place.firstChild !== node || place.children.length > 1) place.replaceChildren(node);
    }
  }
}

class OpenPart extends Piece {
  constructor(rows, part) {
    super(rows, part, null);
    this.element = h("div", { class: "opn", role: "group", "aria-label": say(this.data, `zone.${part.zone}`) });
  }

  show(frame, was, context) {
    const { data, part, rows } = this;
    const id = [0, 1].flatMap((seat) => frame.zones[seat][part.zone]).find((one) => frame.cards[one]);
    const card = frame.cards[id];
    const face = data.cards[card?.code];
    this.element.classList.toggle("e", !face);
    if (!face) {
      put(this.element, h("span", { class: "lab" }, say(data, `zone.${part.zone}`)));
      return;
    }
    const button = h("button", { type: "button", class: `card fld f-${face.frame} ${context.touched.has(id) ? "now" : ""}`, "aria-label": `${nameOf(data, card)}, ${say(data, `zone.${part.zone}`)}, ${this.player(card.seat)}` },
      h("span", { class: "nm" }, h("b", {}, face.name), h("span", {}, say(data, `zone.${part.zone}`), " · ", seatIcon(card.seat), h("span", {}, this.player(card.seat)))), picture(face.frame, card.code), h("span", { class: "ftx" }, face.text.join(" ")));
    rows.view.watchCard(button, id);
    put(this.element, button);
  }
}

const PARTS = {
  piles: PilesPart, leader: LeaderPart, portrait: PortraitPart, cards: CardsPart, gauge: GaugePart, meetings: MeetingsPart,
  strikes: StrikesPart, reckoning: ReckoningPart, chain: ChainPart, duel: DuelPart, open: OpenPart,
};
