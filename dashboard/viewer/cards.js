// One card as an element: what is printed, what differs from it now, and the state it is in.

// A number of a card: its counter, else what is printed; null where it has none.
function valueOf(data, card, name) {
  return card.counters?.[name] ?? data.cards[card.code]?.stats[name] ?? null;
}

// A word of the game by its dotted key; the key's last part where there is none.
function say(data, key) {
  return data.words[key] ?? String(key).split(".").at(-1).replaceAll("_", " ");
}

function nameOf(data, card) {
  return data.cards[card?.code]?.name ?? data.chrome.hidden;
}

// The table -> "Cinder Ox, POW 4000, down": what a screen reader says.
function spoken(data, card, marks) {
  const look = data.board.card;
  const parts = [nameOf(data, card)];
  for (const name of look.values) {
    const value = valueOf(data, card, name);
    if (value !== null) parts.push(`${say(data, `counter.${name}`)} ${value}`);
  }
  if (look.damage && valueOf(data, card, look.damage)) parts.push(`${say(data, `counter.${look.damage}`)} ${valueOf(data, card, look.damage)}`);
  if (card.down) parts.push(data.chrome.down);
  return [...parts, ...marks].join(", ");
}

// What would make a drawn card look different: it is drawn anew only where this changes.
function looks(card, options) {
  return JSON.stringify([card.code, card.up, card.down, card.counters, options]);
}

// Fills `element` with the card. options: mini, tags [[kind, text]], changed [names], gone, tied [names].
function drawCard(element, data, card, options) {
  const face = data.cards[card.code];
  const known = face && (card.up !== false || options.open);
  const classes = ["card", options.mini ? "mini" : "", card.down ? "is-down" : "is-up", ...options.rings ?? []];
  if (!known) {
    element.className = [...classes, "is-back"].join(" ");
    element.setAttribute("aria-label", data.chrome.hidden);
    element.replaceChildren(icon("back", 24, "width:100%;height:100%"));
    return;
  }
  const look = data.board.card;
  const values = look.values.map((name) => [name, valueOf(data, card, name)]).filter(([, value]) => value !== null);
  const [first, total] = values[0] ?? ["", null];
  const damage = look.damage ? valueOf(data, card, look.damage) ?? 0 : 0;
  const badges = Object.entries(look.badges).flatMap(([name, letters]) => {
    const n = valueOf(data, card, name);
    return n > 0 ? [h("u", { title: say(data, `counter.${name}`) }, letters.replace("{n}", n))] : [];
  });
  element.className = [...classes, `f-${face.frame}`, card.up === false ? "is-facedown" : ""].join(" ");
  element.setAttribute("aria-label", spoken(data, card, (options.tags ?? []).map(([, text]) => text)));
  const parts = [
    h("span", { class: "nm" }, h("span", {}, face.star ? `★ ${face.name}` : face.name)),
    picture(face.frame, card.code),
    face.letter && h("span", { class: "kd" }, face.letter),
    badges.length > 0 && h("span", { class: "kw" }, badges),
    damage > 0 && total > 0 && h("span", { class: "dm" },
      h("i", { style: `width:${Math.min(100, 100 * damage / total)}%` }), h("span", {}, String(damage))),
    h("span", { class: values.length > 1 ? "ft multi" : "ft" }, h("span", { class: "src" }, pips(face.symbols, 12)),
      ...values.slice(0, 3).map(([name, value]) => h("b", { class: powClass(face, name, value, options) }, String(value))),
      values.length === 0 && h("b", { class: "pow sk" }, face.letter)),
    options.gone && svg("svg", { class: "cross", viewBox: "0 0 10 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("path", { d: "M0 0L10 10M10 0L0 10" })),
    (options.tags ?? []).map(([kind, text, sign]) => h("span", { class: `tag ${kind}` }, sign && icon(sign, 10), text)),
  ];
  element.replaceChildren(...parts.flat().filter((part) => part instanceof Node));
}

function powClass(face, name, value, options) {
  const changed = options.changed?.includes(name) || value !== (face.stats[name] ?? null);
  return changed ? "pow up" : "pow";
}
