// What people wrote about steps of the game: the tab, and the form for a new note. Shown from their step on, never before.

const MARKS = { brilliant: "!!", good: "!", doubtful: "?!", mistake: "?", blunder: "??" };

class Notes {
  constructor(view) {
    this.view = view;
    this.all = [];
    this.list = h("div", { class: "nts" });
    this.form = view.options.send ? this.buildForm() : null;
    this.element = h("section", { class: "notes", id: "cf-notes", role: "tabpanel", "aria-label": view.data.chrome.notes }, this.form, this.list);
  }

  buildForm() {
    const { chrome } = this.view.data;
    this.title = h("b", {});
    this.mark = "";
    this.markButtons = Object.entries(MARKS).map(([name, sign]) => h("button", { type: "button", class: `mkb ${name}`, "aria-pressed": "false", "aria-label": chrome[name], title: chrome[name], "data-mark": name, onclick: () => this.setMark(this.mark === name ? "" : name) }, sign));
    this.text = h("textarea", { rows: 3, maxlength: 10000, "aria-label": chrome.note_text, placeholder: chrome.note_text });
    this.by = h("input", { type: "text", maxlength: 200, value: remembered("name") ?? "", "aria-label": chrome.your_name, placeholder: chrome.your_name });
    this.cancel = h("button", { class: "bt", type: "button", hidden: true, onclick: () => this.clear() }, chrome.cancel);
    const keep = h("button", { class: "bt main", type: "submit" }, chrome.keep_note);
    return h("form", { class: "ntf", onsubmit: (e) => { e.preventDefault(); this.send(); } },
      h("div", { class: "row" }, this.title, h("span", { class: "sp" }), this.markButtons), this.text, h("div", { class: "row" }, this.by, this.cancel, keep));
  }

  setMark(name) {
    this.mark = name;
    for (const button of this.markButtons) button.setAttribute("aria-pressed", String(button.dataset.mark === name));
  }

  // A note is about the step that is shown when it is kept; one that is changed keeps its step.
  send() {
    const { view } = this;
    const text = this.text.value.trim();
    if (!text && !this.mark) {
      this.text.focus();
      return;
    }
    remember("name", this.by.value.trim());
    view.options.send("note", { ...this.about(), id: this.changed?.id ?? null, n: this.changed?.n ?? view.n, mark: this.mark, text, by: this.by.value.trim() });
    this.clear();
  }

  takeBack(note) {
    this.view.options.send("note", { ...this.about(), id: note.id, n: note.n, mark: "", text: "", by: note.by });
  }

  about() {
    return { game: this.view.data.address, view: this.view.data.game.view, once: `${Date.now()}.${Math.random()}` };
  }

  change(note) {
    this.changed = note;
    this.text.value = note.text;
    this.by.value = note.by;
    this.setMark(note.mark);
    this.cancel.hidden = false;
    this.head();
    this.text.focus();
  }

  clear() {
    this.changed = null;
    this.text.value = "";
    this.setMark("");
    this.cancel.hidden = true;
    this.head();
  }

  head() {
    if (this.form) this.title.textContent = this.view.data.chrome.note_on.replace("{n}", number(this.view.data, this.changed?.n ?? this.view.n));
  }

  set(notes) {
    this.all = notes.filter((note) => Number.isInteger(note.n)).sort((a, b) => a.n - b.n || String(a.at).localeCompare(String(b.at)));
    this.show();
  }

  get shown() {
    return this.all.filter((note) => note.n <= this.view.n);
  }

  show() {
    const { chrome } = this.view.data;
    const { shown } = this;
    this.head();
    this.view.noteCount.textContent = shown.length || "";
    const key = shown.map((note) => `${note.id} ${note.at}`).join();
    if (key === this.drawn) return;
    this.drawn = key;
    this.list.replaceChildren(...shown.length ? shown.map((note) => this.item(note)).reverse() : [h("p", { class: "none" }, chrome.no_notes)]);
  }

  item(note) {
    const { chrome } = this.view.data;
    const tool = (label, does) => h("button", { type: "button", onclick: does }, label);
    return h("article", { class: "nt" }, h("header", {},
      h("button", { type: "button", class: "to", onclick: () => this.view.go(note.n, "event") }, markSign(this.view.data, note.mark), chrome.step_n.replace("{n}", number(this.view.data, note.n))),
      h("span", { class: "sp" }), this.form && [tool(chrome.change, () => this.change(note)), tool(chrome.take_back, () => this.takeBack(note))]),
    note.text && h("p", {}, note.text), h("small", {}, [note.by, day(this.view.data, note.at)].filter(Boolean).join(" · ")));
  }

  write() {
    this.view.openTab("notes");
    this.text.focus();
  }
}

function markSign(data, mark) {
  return MARKS[mark] ? h("b", { class: `mks ${mark}`, role: "img", "aria-label": data.chrome[mark] }, MARKS[mark]) : null;
}
