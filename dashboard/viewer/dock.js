// Where in the game: the timeline with its marks, a stepper for each unit, play.

const EDGE = 10;
const SPEEDS = [0.5, 1, 2, 4, 8];

class Dock {
  constructor(view) {
    this.view = view;
    const { chrome } = view.data;
    this.track = svg("svg", { class: "tl", role: "slider", tabindex: "0", "aria-label": chrome.timeline, "aria-valuemin": 0, "aria-valuemax": view.replay.last });
    this.steppers = Object.fromEntries(["turn", "action", "event", "key"].map((unit) => [unit, this.stepper(unit)]));
    this.play = h("button", { class: "pl", type: "button", onclick: () => view.togglePlay() });
    this.speed = h("select", { class: "spd", "aria-label": chrome.speed, onchange: () => view.setSpeed(Number(this.speed.value)) },
      SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`)));
    const { turn, action, event, key } = this.steppers;
    const marks = Object.entries(view.data.board.marks);
    this.element = h("footer", { class: "dock" }, h("div", { class: "trk" }, this.track), h("div", { class: "ctl" },
      h("div", { class: "grp" }, this.jump("first", chrome.to_start, 0), turn.element, action.element), this.play,
      h("div", { class: "grp" }, event.element, this.jump("last", chrome.to_end, view.replay.last)), key.element,
      h("div", { class: "lgd" }, marks.map(([what, shape]) => h("span", {}, svg("svg", { width: 14, height: 14, viewBox: "0 0 14 14" }, mark(shape, 7, 7)), this.markName(what)))),
      h("span", { class: "sp" }), h("label", { class: "bt" }, h("span", {}, chrome.speed), this.speed),
      view.options.send && h("button", { class: "bt add", type: "button", "aria-label": chrome.add_note, title: chrome.add_note, onclick: () => view.notes.write() }, icon("pen", 14), h("span", {}, chrome.add_note))));
    this.drag();
    new ResizeObserver(([{ contentRect: { width, height } }]) => {
      [this.width, this.height] = [width, height];
      this.draw();
    }).observe(this.track);
  }

  markName(what) {
    return this.view.data.words[`move_kind.${what}`] ?? this.view.data.chrome[what] ?? what;
  }

  jump(sign, label, step) {
    return h("button", { class: `ib ${sign}`, type: "button", "aria-label": label, title: label, onclick: () => this.view.go(step, "event") }, icon(sign, 17));
  }

  stepper(unit) {
    const { chrome } = this.view.data;
    const label = unit === "turn" ? this.view.unitName : chrome[unit === "key" ? "key_event" : unit];
    const count = h("b", {});
    const button = (way, sign) => h("button", { type: "button", "aria-label": chrome[way > 0 ? "next_of" : "previous_of"].replace("{unit}", () => label.toLowerCase()), onclick: () => this.view.step(unit, way) }, icon(sign, 16));
    const middle = unit === "turn"
      ? h("button", { class: "mid", type: "button", title: chrome.go_to_turn, onclick: () => this.askTurn() }, h("small", {}, label), count)
      : h("div", { class: "mid" }, h("small", {}, label), count);
    const element = h("div", { class: `stp ${unit}` }, button(-1, "prev"), middle, button(1, "next"));
    return { element, count, middle };
  }

  // The counter of turns becomes a field to type a number into: Enter goes there, Escape leaves it.
  askTurn() {
    const { chrome } = this.view.data;
    const { middle } = this.steppers.turn;
    if (!middle.isConnected) return;
    const field = h("input", { class: "mid", type: "text", inputmode: "numeric", maxlength: 5, "aria-label": chrome.go_to_turn, value: this.view.replay.turnIndex(this.view.n) + 1 });
    let left = false;
    const done = (back) => {
      if (left) return;
      left = true; // taking the field away is a blur too
      field.replaceWith(middle);
      if (back) middle.focus();
    };
    field.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== "Escape") return;
      e.stopPropagation();
      e.preventDefault();
      done(e.key === "Escape");
      if (e.key === "Enter" && /^\d+$/.test(field.value.trim())) this.view.goToTurn(Number(field.value));
    });
    field.addEventListener("blur", () => done(false));
    middle.replaceWith(field);
    field.focus();
    field.select();
  }

  counts(n) {
    const { replay } = this.view;
    return {
      turn: [replay.turnIndex(n) + 1, replay.turns.length], action: [replay.actionOf[n] + 1, replay.actions.length],
      event: [n, replay.last], key: [countUpTo(replay.markSteps, n), replay.markSteps.length],
    };
  }

  show(n) {
    const { view } = this;
    for (const [unit, [at, all]] of Object.entries(this.counts(n))) {
      put(this.steppers[unit].count, number(view.data, at), h("span", {}, ` ${view.data.chrome.of} ${view.spoilerFree ? "?" : number(view.data, all)}`));
    }
    put(this.play, icon(view.playing ? "pause" : "play", 20));
    this.play.setAttribute("aria-label", view.data.chrome[view.playing ? "pause" : "play"]);
    this.speed.value = view.speed;
    if (view.spoilerFree !== this.drawnFree || view.flipped !== this.drawnFlipped) this.draw();
    else this.move(n);
  }

  // --- timeline ----------------------------------------------------------------------------------------------------

  get end() {
    const { spoilerFree, n, replay } = this.view;
    return spoilerFree ? Math.max(1, Math.round(n / 0.62)) : Math.max(1, replay.last);
  }

  x(step) {
    return EDGE + (this.width - 2 * EDGE) * step / this.end;
  }

  draw() {
    const { view, track } = this;
    const { replay, data } = view;
    if (!this.width) return;
    this.drawnFree = view.spoilerFree;
    this.drawnFlipped = view.flipped;
    track.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const top = 16;
    const height = this.height - 18;
    const last = view.spoilerFree ? view.n : replay.last;
    const parts = [];
    this.bands = replay.turns.filter((turn) => turn.step <= last).map((turn, i) => {
      const end = Math.min(replay.turns[i + 1]?.step ?? replay.last, last);
      const width = Math.max(0, this.x(end) - this.x(turn.step));
      const band = svg("rect", { x: this.x(turn.step), y: top, width, height, class: i % 2 ? "tb odd" : "tb" });
      const label = width > 17 && svg("text", { x: this.x(turn.step) + 3, y: 11, class: "tt" });
      if (label) label.textContent = turn.turn;
      parts.push(band, label);
      return { band, label, from: turn.step, to: end };
    });
    if (view.spoilerFree) parts.push(svg("rect", { x: this.x(view.n), y: top, width: this.width - EDGE - this.x(view.n), height, class: "hid" }));
    for (const seat of [0, 1]) parts.push(this.lifeLine(seat, last, top, height));
    this.drawnMarks = this.merged(last).map((group) => {
      const upper = group.seat === (view.flipped ? 0 : 1);
      const y = upper ? top + 8 : top + height - 8;
      const x = (this.x(group.first) + this.x(group.last)) / 2;
      const element = svg("g", { class: `mk s${group.seat}` }, mark(data.board.marks[group.what], x, y));
      if (group.count > 1) {
        const count = svg("text", { x: x + 6, y: y + 3.5, class: "mc" });
        count.textContent = group.count;
        element.append(count);
      }
      const title = svg("title", {});
      title.textContent = `${data.game.players[group.seat].name}: ${this.markName(group.what)}`;
      element.append(title);
      parts.push(element);
      return { element, step: group.first };
    });
    this.head = svg("g", { class: "head" }, svg("line", { x1: 0, x2: 0, y1: top - 4, y2: this.height, class: "ph" }), svg("path", { d: `M-6 ${top - 9}h12v6l-6 6l-6-6z`, class: "phh" }));
    this.flags = svg("g", {});
    track.replaceChildren(...parts.filter(Boolean), this.flags, this.head);
    this.move(view.n);
  }

  // Marks of one seat that would lie on each other become one with a count, which takes room too.
  merged(last) {
    const groups = [];
    const open = [null, null];
    const kinds = Object.keys(this.view.data.board.marks);
    for (const { step, seat, what } of this.view.replay.marks) {
      if (step > last) break;
      const group = open[seat];
      if (group && this.x(step) - this.x(group.last) < (group.count > 1 ? 16 : 9)) {
        group.last = step;
        group.count += 1;
        if (kinds.indexOf(what) < kinds.indexOf(group.what)) group.what = what;
      } else {
        open[seat] = { first: step, last: step, seat, what, count: 1 };
        groups.push(open[seat]);
      }
    }
    return groups;
  }

  lifeLine(seat, last, top, height) {
    const start = this.view.replay.turns[0]?.step ?? 0;
    const [dealt, played] = [0, 1].map((half) => this.view.data.lives[seat].filter(([step]) => (step < start) === (half === 0)));
    const course = [...dealt.slice(-1).map(([, value]) => [0, value]), ...played].filter(([step]) => step <= last);
    if (course.length === 0) return null;
    const most = Math.max(1, ...this.view.data.lives.flat().filter(([step]) => step >= start - 1).map(([, value]) => value));
    const y = (value) => (top + 3 + (height - 6) * (1 - value / most)).toFixed(1);
    const d = course.map(([step, value], i) => `${i ? "H" : "M"}${this.x(step).toFixed(1)}${i ? "V" : " "}${y(value)}`).join("");
    return svg("path", { d: `${d}H${this.x(last).toFixed(1)}`, class: `lf l${seat}` });
  }

  move(n) {
    if (!this.head) return;
    if (this.view.spoilerFree && this.drawnAt !== n) {
      this.drawnAt = n;
      this.draw();
      return;
    }
    this.drawnAt = n;
    this.head.setAttribute("transform", `translate(${this.x(n).toFixed(1)} 0)`);
    for (const { band, label, from, to } of this.bands) {
      const on = from <= n && (n < to || to >= this.view.replay.last);
      band.classList.toggle("cur", on);
      if (!label) continue;
      const apart = this.x(n) - this.x(from);
      label.classList.toggle("on", on);
      label.classList.toggle("under", apart > -7 && apart < 10 + 7 * label.textContent.length);
    }
    for (const { element, step } of this.drawnMarks) element.classList.toggle("fut", step > n);
    this.placeFlags(n);
    this.track.setAttribute("aria-valuemax", this.view.spoilerFree ? n : this.view.replay.last);
    this.track.setAttribute("aria-valuenow", n);
    this.track.setAttribute("aria-valuetext", `${this.view.unitName} ${this.view.replay.turnIndex(n) + 1}, ${this.view.data.chrome.event} ${n}`);
  }

  // A small flag for each step with notes, up to the playhead, beside which it steps.
  placeFlags(n) {
    const shown = new Map(this.view.notes.shown.map((note) => [note.n, note]));
    const y = 16 + (this.height - 18) / 2;
    put(this.flags, ...[...shown.values()].map((note) => {
      const sign = MARKS[note.mark] ?? "✎";
      const wide = 9 + 6 * sign.length;
      const x = Math.min(this.x(note.n), this.x(n) - 8 - wide / 2);
      const text = svg("text", { x: x.toFixed(1), y: y + 3.8, class: "nft" });
      text.textContent = sign;
      const title = svg("title", {});
      title.textContent = note.text.slice(0, 200);
      return svg("g", { class: `nf ${note.mark}` }, svg("rect", { x: (x - wide / 2).toFixed(1), y: y - 8, width: wide, height: 16, rx: 3 }), text, title);
    }));
  }

  drag() {
    const { track, view } = this;
    const to = (e) => {
      const box = track.getBoundingClientRect();
      const part = (e.clientX - box.left - EDGE) / (box.width - 2 * EDGE);
      const most = view.spoilerFree ? this.dragEnd : view.replay.last;
      view.go(Math.max(0, Math.min(view.spoilerFree ? view.n : view.replay.last, Math.round(part * most))), "drag");
    };
    track.addEventListener("pointerdown", (e) => {
      this.dragEnd = this.end;
      track.setPointerCapture(e.pointerId);
      to(e);
    });
    track.addEventListener("pointermove", (e) => { if (track.hasPointerCapture(e.pointerId)) to(e); });
  }
}
