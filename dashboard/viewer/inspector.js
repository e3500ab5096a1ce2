// One card in full: its text, its values now, and where they come from.

class Inspector {
  constructor(view) {
    this.view = view;
    this.element = h("section", { class: "insp", id: "cf-card", "aria-label": view.data.chrome.card });
  }

  show(id, frame) {
    const { data } = this.view;
    const card = frame.cards[id];
    const face = card && data.cards[card.code];
    const drawing = card && JSON.stringify([id, card, frame.zones[card.seat][card.zone].indexOf(id), Object.values(frame.modifiers).filter((effect) => effect.on === id)]);
    if (this.drawing === drawing && drawing) return;
    this.drawing = drawing;
    if (!face || (card.face_up === false && data.game.view !== null && data.game.view !== card.seat)) {
      put(this.element, h("p", { class: "none" }, data.chrome.point_at_card));
      this.element.className = "insp";
      return;
    }
    this.element.className = `insp f-${face.frame}`;
    put(this.element, 
      h("div", { class: "big" }, picture(face.frame, card.code)),
      h("div", { class: "about" }, h("h3", {}, face.prefix + face.name), h("div", { class: "ty" }, [face.type, this.place(id, card, frame)].filter(Boolean).join(" · ")),
        ...face.text.map((line) => h("p", {}, line)),
        h("div", { class: "src" }, pips(face.symbols, 15)), face.flavour && h("p", { class: "flavour" }, face.flavour)),
      this.table(id, card, face, frame),
    );
  }

  place(id, card, frame) {
    const { data } = this.view;
    const line = data.board.lines.find(({ zone }) => zone === card.zone);
    const parts = [data.game.players[card.seat].name, say(data, `zone.${card.zone}`)];
    if (line && data.caps[line.zone] !== 1) parts.push(data.chrome.slot.replace("{n}", frame.zones[card.seat][card.zone].indexOf(id) + 1));
    if (card.exhausted) parts.push(data.chrome.down);
    return parts.join(", ");
  }

  table(id, card, face, frame) {
    const { data } = this.view;
    const lasting = Object.values(frame.modifiers).filter((effect) => effect.on === id);
    const look = data.board.card;
    const names = [...new Set([...look.values, ...Object.keys(look.badges), ...lasting.map((effect) => effect.name)])];
    const bare = Object.entries(look.badges).filter(([, letters]) => !letters.includes("{n}")).map(([name]) => name);
    const signs = new Set([...Object.values(look.sides).flat(), ...bare]); // there or not, and no number
    const rows = names.flatMap((name) => {
      const effects = lasting.filter((effect) => effect.name === name);
      if (!signs.has(name)) return this.value(name, id, card, face, effects, frame);
      const printed = bare.includes(name) && face.stats[name] > 0;
      return [...printed ? [row(say(data, `counter.${name}`), "")] : [], ...this.given(name, effects, frame)];
    });
    const damage = look.damage && valueOf(data, card, look.damage);
    if (damage) rows.push(row(say(data, `counter.${look.damage}`), digits(damage)));
    return h("table", {}, h("tbody", {}, rows));
  }

  // A sign on a side of the card that it has, or has not, by an effect.
  given(name, effects, frame) {
    const { data } = this.view;
    return effects.map((effect) => row(say(data, `counter.${name}`), data.chrome[(effect.be ?? effect.add) > 0 ? "given_by" : "taken_by"].replace("{card}", () => this.cause(effect, frame))));
  }

  // The card that an effect comes from, and until when; that it lasts as long as its card has it goes without saying.
  cause(effect, frame) {
    const { data } = this.view;
    const until = effect.duration === "while" ? "" : say(data, `duration.${effect.duration}`);
    return [nameOf(data, frame.cards[effect.card]), until].filter(Boolean).join(", ");
  }

  // What is printed, what each lasting effect does to it, and the value now.
  value(name, id, card, face, effects, frame) {
    const { data } = this.view;
    const printed = face.stats[name] ?? 0;
    const value = valueOf(data, card, name) ?? 0;
    if (printed === 0 && value === 0 && effects.length === 0) return [];
    const label = say(data, `counter.${name}`);
    if (effects.length === 0 && value === printed) return [row(label, digits(printed))];
    const causes = effects.map((effect) => row(this.cause(effect, frame), effect.be === undefined ? signed(effect.add) : `= ${effect.be}`));
    return [row(`${label} ${data.chrome.printed}`, digits(printed)), ...causes, row(`${label} ${data.chrome.at_present}`, digits(value), "sum")];
  }
}

function row(label, value, kind = "") {
  return h("tr", { class: kind }, h("td", {}, label), h("td", {}, value));
}

function signed(n) {
  return n > 0 ? `+${n}` : digits(n);
}
