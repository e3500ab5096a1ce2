// The game in words beside the board: one line a record, folded by turn and by action, in step with the board.

class Log {
  constructor(view) {
    this.view = view;
    this.rows = new Map();
    this.openTurns = new Set();
    this.openActions = new Set();
    this.noteRows = [];
    this.to = null;
    this.element = h("div", { class: "log", id: "cf-log", role: "tabpanel", "aria-label": view.data.chrome.log, tabindex: "0" });
    this.build();
    new ResizeObserver(() => { this.look(); this.follow(); }).observe(this.element);
  }

  build() {
    const { replay, data } = this.view;
    const phaseSteps = new Set(data.phase_steps);
    let turn = -1;
    let list = h("div", { class: "turn", role: "list" });
    this.turns = [];
    this.flavours = firstTold(data, replay.shown.map((n) => [n, replay.lines[n].text]));
    this.element.replaceChildren(list);
    for (const { line: n, folds } of replay.moments) {
      while (turn + 1 < replay.turns.length && replay.turns[turn + 1].step <= n) {
        turn++;
        list = this.turnBlock(turn);
      }
      if (turn >= 0 && replay.turns[turn].step === n) continue; // its heading tells of it
      const action = replay.actionOf[n];
      const row = this.row(n, action, replay.actions[action].head === n, phaseSteps.has(n));
      row.turn = turn;
      row.action = action;
      row.folds = folds && row.classList.contains("sub");
      this.rows.set(n, row);
      list.append(row);
    }
    const caused = new Map();
    for (const row of this.rows.values()) {
      if (row.folds) caused.set(row.action, (caused.get(row.action) ?? 0) + 1);
    }
    for (const row of this.rows.values()) {
      if (row.classList.contains("head")) this.countCaused(row, caused.get(row.action) ?? 0);
    }
  }

  turnBlock(index) {
    const { replay, data } = this.view;
    const { step, turn, seat } = replay.turns[index];
    const end = replay.turns[index + 1]?.step ?? replay.steps;
    const acted = replay.actions.filter((a) => a.seat !== null && a.first >= step && a.first < end).length;
    const count = h("span", { class: "acts" }, data.chrome[acted === 1 ? "one_action" : "n_actions"].replace("{n}", acted));
    const toggle = h("button", { class: "lt", type: "button", "aria-expanded": "false", "data-n": step, onclick: () => this.toggleTurn(index) },
      icon("next", 12), seatIcon(seat), h("b", {}, replay.lines[step].text), count, h("span", { class: "chg" }));
    this.rows.set(step, toggle);
    const list = h("div", { class: "turn", role: "list", "aria-label": `${this.view.unitName} ${turn}`, hidden: true });
    this.element.append(toggle, list);
    this.turns.push({ toggle, list, step });
    return list;
  }

  row(n, action, head, phase) {
    const { replay, data } = this.view;
    const line = replay.lines[n];
    const depth = head || phase ? 0 : Math.min(3, Math.max(1, line.depth - replay.lines[replay.actions[action].head].depth));
    const text = h("span", { class: "tx" }, line.text);
    const flavour = this.flavours.get(n);
    const row = h("div", { class: `le ${phase ? "phase" : head ? "head" : "sub"}${flavour ? " first" : ""}`, role: "listitem", "data-n": n, style: `--d:${depth}`, onclick: () => this.view.go(n, "event") },
      h("span", { class: "n" }, number(data, n)), head && !phase ? h("button", { class: "fd", type: "button", "aria-label": data.chrome.fold, onclick: (e) => { e.stopPropagation(); this.toggleAction(action); } }, icon("next", 11)) : h("span", { class: "fd" }),
      text, h("span", { class: "chg" }), flavour && h("span", { class: "flv" }, flavour));
    row.phase = phase;
    return row;
  }

  countCaused(head, caused) {
    if (caused === 0) head.querySelector("button.fd").replaceWith(h("span", { class: "fd" }));
    else head.querySelector(".tx").append(h("span", { class: "fold" }, this.view.data.chrome.n_caused.replace("{n}", caused)));
  }

  // A click on a turn's heading opens it and goes there; on the heading of the turn at hand, it folds it.
  toggleTurn(index) {
    if (this.openTurns.has(index)) {
      this.openTurns.delete(index);
      this.fold();
    } else {
      this.view.go(this.turns[index].step, "event");
    }
  }

  toggleAction(action) {
    if (this.openActions.has(action)) this.openActions.delete(action);
    else this.openActions.add(action);
    this.fold();
  }

  show(n, changes) {
    const { replay } = this.view;
    const line = replay.lineAt(n, this.view.unit);
    const turn = replay.turnIndex(n);
    const action = replay.actionOf[n];
    if (this.turn !== turn || this.action !== action || this.spoilerFree !== this.view.spoilerFree) {
      if (this.turn !== turn) this.openTurns.delete(this.turn);
      if (this.action !== action) this.openActions.delete(this.action);
      [this.turn, this.action, this.spoilerFree] = [turn, action, this.view.spoilerFree];
      this.openTurns.add(turn);
      this.openActions.add(action);
      this.foldAt = undefined;
    }
    this.fold();
    this.mark(line, n, changes);
    this.showNotes();
  }

  // A note stands below the line that it is about; a line that is folded away takes it along.
  showNotes() {
    const { view } = this;
    const notes = view.notes.shown;
    const key = notes.map((note) => `${note.id} ${note.at}`).join();
    if (key !== this.notesAt) {
      this.notesAt = key;
      for (const row of this.noteRows) row.remove();
      this.noteRows = notes.map((note) => this.noteRow(note));
    }
    for (const row of this.noteRows) row.hidden = row.under.hidden;
  }

  noteRow(note) {
    const { view } = this;
    const told = view.replay.lineAt(note.n);
    const under = this.rows.get(told) ?? this.rows.get(before(view.replay.shown, told)) ?? this.rows.values().next().value;
    const row = h("div", { class: "ntl", role: "listitem" }, markSign(view.data, note.mark), h("span", {}, note.text, note.by && h("small", {}, ` ${note.by}`)));
    row.note = note;
    row.under = under;
    if (under.classList.contains("lt")) under.nextSibling.prepend(row);
    else under.after(row);
    return row;
  }

  // What is open: the turn and the action at hand, and what was opened by hand.
  fold() {
    const state = [...this.openTurns, "/", ...this.openActions, this.view.spoilerFree ? this.view.n : ""].join(" ");
    if (state === this.foldAt) return;
    this.foldAt = state;
    const until = this.view.spoilerFree ? this.view.n : Infinity;
    this.turns.forEach(({ toggle, list, step }, i) => {
      const open = this.openTurns.has(i);
      list.hidden = !open;
      toggle.hidden = step > until;
      toggle.setAttribute("aria-expanded", open);
      toggle.classList.toggle("open", open);
    });
    const lists = [this.element.firstChild, ...this.turns.filter((_, i) => this.openTurns.has(i)).map(({ list }) => list)];
    for (const list of lists) this.foldLines(list, until);
  }

  foldLines(list, until) {
    let told = false; // whether a line follows before the next phase
    for (let row = list.lastChild; row; row = row.previousSibling) {
      if (row.note) continue;
      const n = Number(row.dataset.n);
      row.hidden = n > until || (row.folds && !this.openActions.has(row.action));
      if (row.classList.contains("head")) row.classList.toggle("open", this.openActions.has(row.action));
      if (row.phase) row.classList.toggle("empty", !told);
      told = row.phase ? false : told || !row.hidden;
    }
  }

  mark(line, n, changes) {
    if (this.current) {
      this.current.classList.remove("now");
      this.current.removeAttribute("aria-current");
      put(this.current.querySelector(".chg"));
    }
    for (const row of this.turns[this.turn]?.list.children ?? []) if (!row.note) row.classList.toggle("fut", Number(row.dataset.n) > n);
    this.current = this.rows.get(line);
    if (!this.current) return;
    this.current.classList.add("now");
    this.current.setAttribute("aria-current", "step");
    const { text } = this.view.replay.lines[line];
    const untold = changes.filter(([, from, to]) => !text.includes(`${digits(from)} → ${digits(to)}`));
    put(this.current.querySelector(".chg"), ...untold.slice(0, 2).map(([what, from, to]) =>
      h("span", { class: "bf" }, what, " ", h("s", {}, digits(from)), h("i", {}, "→"), h("b", {}, digits(to)))));
  }

  // Where the line at hand stands. Reads the page only; `follow` scrolls there where it is not to be seen.
  look() {
    const { element, current } = this;
    this.to = null;
    if (!current?.getClientRects().length) return; // folded away by hand, or in a tab that is not open
    const room = element.clientHeight;
    const seen = element.scrollTop;
    const top = current.getBoundingClientRect().top - element.getBoundingClientRect().top + seen;
    const free = Math.max(0, room - current.offsetHeight); // in a low room the line itself comes first
    const outside = top < seen + Math.min(40, free / 2) || top > seen + free - Math.min(60, free / 2);
    this.to = outside ? Math.max(0, top - Math.min(room * 0.45, free / 2)) : null;
  }

  follow() {
    if (this.to !== null) this.element.scrollTop = this.to;
  }
}

// The line that first tells of a card, and of no other one -> the card's flavour.
function firstTold(data, lines) {
  const named = new Map(Object.values(data.cards).filter(({ flavour }) => flavour).map(({ name, flavour }) => [name, flavour]));
  const found = new Map();
  for (const [n, text] of lines) {
    const all = Object.values(data.cards).map(({ name }) => name).filter((name) => text.includes(name));
    const longest = new Set(all.filter((name) => !all.some((other) => other !== name && other.includes(name))));
    const [name] = longest;
    if (longest.size === 1 && named.has(name)) {
      found.set(n, named.get(name));
      named.delete(name);
    }
  }
  return found;
}
