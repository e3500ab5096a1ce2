// One card as an element: what is printed, what differs from it now, and the state it is in. A game says which anatomy.

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
function spoken(data, card, options) {
  const look = data.board.card;
  const parts = [nameOf(data, card)];
  for (const name of [look.corner, ...look.values].filter(Boolean)) {
    const value = valueOf(data, card, name);
    if (value !== null) parts.push(`${say(data, `counter.${name}`)} ${digits(value)}`);
  }
  if (look.damage && valueOf(data, card, look.damage)) parts.push(`${say(data, `counter.${look.damage}`)} ${valueOf(data, card, look.damage)}`);
  for (const { name, state } of sidesOf(data, card, options)) parts.push(state ? `${say(data, `counter.${name}`)}: ${data.chrome[state]}` : say(data, `counter.${name}`));
  for (const thing of options.tied ?? []) parts.push(thing.sign === "flag" ? say(data, `letter.${thing.attachment}`) : allAdds(data, thing));
  if (card.exhausted) parts.push(data.chrome.down);
  return [...parts, ...(options.tags ?? []).map(([, text, , lead]) => [lead, text].filter(Boolean).join(" "))].join(", ");
}

// What would make a drawn card look different: it is drawn anew only where this changes.
function looks(card, options) {
  return JSON.stringify([card.code, card.face_up, card.exhausted, card.counters, options]);
}

// Fills `element` with the card. options: mini, anatomy, tags [[kind, text, icon, first word]], rings, changed [names],
// tied [{sign, attachment, name, adds}], edges {way: state}, gone, open.
function drawCard(element, data, card, options) {
  const face = data.cards[card.code];
  const known = face && (card.face_up !== false || options.open);
  const classes = ["card", card.exhausted ? "is-down" : "is-up", ...options.rings ?? []];
  if (!known) {
    element.className = [...classes, options.mini ? "mini" : "", "is-back"].join(" ");
    element.setAttribute("aria-label", data.chrome.hidden);
    element.replaceChildren(icon("back", 24, "width:100%;height:100%"));
    return;
  }
  const anatomy = ANATOMY[options.anatomy ?? (options.mini && face.anatomy !== "upright" ? "slip" : face.anatomy)] ?? upright;
  const sides = sidesOf(data, card, options).map(({ way }) => `has-${way}`);
  element.className = [...classes, anatomy.name, ...new Set(sides), options.mini ? "mini" : "", `f-${face.frame}`, card.face_up === false ? "is-facedown" : ""].join(" ");
  element.setAttribute("aria-label", spoken(data, card, options));
  element.title = anatomy === tile ? title(face) : "";
  const parts = [
    ...anatomy(data, card, face, options),
    options.gone && svg("svg", { class: "cross", viewBox: "0 0 10 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("path", { d: "M0 0L10 10M10 0L0 10" })),
    (options.tags ?? []).map(([kind, text, sign, lead]) => h("span", { class: `tag ${kind}` }, sign && icon(sign, 10), lead && h("i", {}, lead), text)),
  ];
  put(element, ...parts.flat().filter((part) => part instanceof Node));
}

const ANATOMY = { upright, square, monster, stage, slip, tile };

function title(face) {
  return face.prefix + face.name;
}

function numbers(data, card) {
  return data.board.card.values.map((name) => [name, valueOf(data, card, name)]).filter(([, value]) => value !== null);
}

function badgesOf(data, card) {
  return Object.entries(data.board.card.badges).flatMap(([name, letters]) => {
    const n = valueOf(data, card, name);
    return n > 0 ? [h("u", { title: say(data, `counter.${name}`) }, letters.replace("{n}", n))] : [];
  });
}

function powClass(face, name, value, options) {
  const changed = options.changed?.includes(name) || value !== (face.stats[name] ?? null);
  return changed ? `pow up${options.changed?.includes(name) ? " fresh" : ""}` : "pow";
}

// Name on the frame, picture, badges; below a source of power at the left and the values at the right, in two rows where
// one is too short, and on it what hangs on the card and its damage.
function upright(data, card, face, options) {
  const look = data.board.card;
  const values = numbers(data, card);
  const total = values[0]?.[1] ?? null;
  const damage = look.damage ? valueOf(data, card, look.damage) ?? 0 : 0;
  const badges = badgesOf(data, card);
  const tied = (options.tied ?? []).map(({ name }) => h("span", { class: "eq", title: name }, h("span", {}, `↥ ${name}`)));
  return [
    h("span", { class: "nm" }, h("span", {}, title(face))),
    picture(face.frame, card.code),
    face.letter && h("span", { class: "kd" }, face.letter),
    badges.length > 0 && h("span", { class: "kw" }, badges),
    h("span", { class: values.length > 1 ? "ft multi" : "ft" },
      h("span", { class: "hng" }, tied.length > 0 && h("span", { class: "eqs" }, tied),
        damage > 0 && total > 0 && h("span", { class: "dm" },
          h("i", { style: `width:${Math.min(100, 100 * damage / total)}%` }), h("span", {}, digits(damage)))),
      h("span", { class: "src" }, pips(face.symbols, 12)),
      ...values.slice(0, 3).map(([name, value]) => h("b", { class: powClass(face, name, value, options) }, digits(value))),
      values.length === 0 && h("b", { class: "pow sk" }, face.letter)),
  ];
}

// The card's sides that have a fist or a shield, with what has become of it.
function sidesOf(data, card, options) {
  return Object.entries(data.board.card.sides).flatMap(([way, pair]) => pair.flatMap((name, i) =>
    (valueOf(data, card, name) > 0 ? [{ way, name, sign: i ? "shield" : "fist", state: options.edges?.[way]?.[i] ?? "" }] : [])));
}

// Letters in the corners, fists and shields on their sides, name and value in the middle.
function square(data, card, face, options) {
  const [[name, value] = []] = numbers(data, card);
  const sides = sidesOf(data, card, options);
  const both = (way) => sides.filter((side) => side.way === way).length > 1;
  return [
    picture(face.frame, card.code),
    face.letter && h("span", { class: "elb" }, face.letter),
    face.mark && h("span", { class: "mkk", title: face.marked }, face.mark),
    h("span", { class: "pan" }, h("span", { class: "pnm" }, title(face)), value !== undefined && h("b", { class: powClass(face, name, value, options) }, digits(value))),
    ...sides.map(({ way, sign, state, name: side }) => h("span", { class: ["eg", `e-${way}`, sign, state, both(way) ? "two" : ""].join(" "), title: say(data, `counter.${side}`) }, icon(sign, 17))),
  ];
}

function corner(data, card, face, options) {
  const name = data.board.card.corner;
  const value = name ? valueOf(data, card, name) : null;
  const printed = value === (face.stats[name] ?? null) && !options?.changed?.includes(name);
  return value !== null && h("span", { class: printed ? "cst" : "cst up" }, digits(value));
}

function stats(data, card, face, options) {
  return h("span", { class: "st3" }, numbers(data, card).map(([name, value]) =>
    h("span", {}, h("i", {}, say(data, `counter.${name}`)), h("b", { class: powClass(face, name, value, options) }, digits(value)))));
}

function flags(data, options) {
  const names = [...new Set((options.tied ?? []).filter(({ sign }) => sign === "flag").map(({ attachment }) => attachment))];
  return names.map((name) => h("span", { class: "evo", title: say(data, `attachment.${name}`) }, say(data, `letter.${name}`)));
}

function hanging(options) {
  return (options.tied ?? []).filter(({ sign }) => sign !== "flag");
}

// "ATK +200": the first of what a thing that hangs on a card changes.
function addsOf(data, adds) {
  return adds.slice(0, 1).map(([name, n]) => `${say(data, `counter.${name}`)} ${signed(n)}`).join("");
}

function allAdds(data, { name, adds }) {
  return [name, ...adds.map((add) => addsOf(data, [add]))].join(", ");
}

// A number in a circle, the name, picture and letter, what hangs on it as a dark band, and three values.
function monster(data, card, face, options) {
  return [
    h("span", { class: "nm" }, corner(data, card, face, options), h("span", { class: "nn" }, title(face))),
    h("span", { class: "aw" }, picture(face.frame, card.code), face.letter && h("span", { class: "atb", title: face.type }, face.letter), ...flags(data, options),
      h("span", { class: "kw" }, badgesOf(data, card)),
      h("span", { class: "eqs" }, hanging(options).map((thing) => h("span", { class: "eq", title: allAdds(data, thing) }, icon(thing.sign || "shield", 11), h("span", {}, thing.name), h("b", {}, addsOf(data, thing.adds).replace(/^.* /, "")))))),
    stats(data, card, face, options),
  ];
}

// The same as a landscape, large.
function stage(data, card, face, options) {
  return [
    h("span", { class: "bart" }, picture(face.frame, card.code), corner(data, card, face, options), face.letter && h("span", { class: "atb", title: face.type }, face.letter), ...flags(data, options)),
    h("span", { class: "bb" }, h("span", { class: "bn" }, h("span", {}, title(face)), h("small", {}, seatIcon(card.seat), h("span", {}, data.game.players[card.seat].name))),
      stats(data, card, face, options),
      h("span", { class: "eqs" }, h("span", { class: "kw" }, badgesOf(data, card)), hanging(options).map((thing) => h("span", { class: "eqr", title: allAdds(data, thing) }, icon(thing.sign || "shield", 12), h("span", {}, thing.name), h("b", {}, addsOf(data, thing.adds)))))),
  ];
}

// A small card: a hand's, or one without a picture of its own.
function slip(data, card, face, options) {
  const [[name, value] = []] = numbers(data, card);
  const kind = face.anatomy === "slip" || value === undefined;
  return [
    h("span", { class: "nm" }, h("span", { class: "nn" }, title(face))),
    h("span", { class: "hk" }, corner(data, card, face, options), face.letter && h("span", { class: "atb" }, face.letter),
      kind ? h("small", {}, face.kind) : h("b", { class: powClass(face, name, value, options) }, digits(value)),
      face.mark && h("span", { class: "mkk", title: face.marked }, face.mark)),
  ];
}

// As small as it gets: picture and number or letter. Its name is told on hover and on opening, never in fewer letters.
function tile(data, card, face, options) {
  return [picture(face.frame, card.code), corner(data, card, face, options) || (face.letter && h("span", { class: "atb" }, face.letter))];
}
