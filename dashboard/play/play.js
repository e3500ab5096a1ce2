// A game that is played: the viewer on what one seat sees, with what it may do lit up on the board. The server decides.

const WAIT = 1500; // milliseconds until a server that does not answer is asked again
const TOLD = 4000; // milliseconds in which all is shown that has happened since
const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const STEPS = ["Home", "End", "g", "n", "s", "0", "1", "2", "+", "-", "="]; // keys of the viewer that would leave the question
const PLAY_KEYS = [["← →", "key_among"], ["Enter", "key_take"], ["Esc", "key_leave"], ["P", "key_pass"], ["U", "back"], ["L", "look_back"], ["C", "concede"], ["F", "key_flip"], ["?", "key_help"]];

class Play {
  constructor(root) {
    this.root = root;
    this.secret = location.hash.slice(1);
    this.language = new URLSearchParams(location.search).get("language") ?? "";
    this.version = "";
    this.lifted = "";
    this.seen = {}; // seat -> the last step that its person has been shown
    this.says = {};
    window.addEventListener("keydown", (e) => this.key(e), true);
    root.addEventListener("click", (e) => this.click(e), true);
    for (const kind of ["pointerover", "focusin"]) root.addEventListener(kind, (e) => this.point(e));
    window.addEventListener("hashchange", () => location.reload());
    root.play = this;
    this.dress();
    this.loop();
  }

  // --- the server ---------------------------------------------------------------------------------------------------

  async loop() {
    for (;;) {
      this.asking = new AbortController();
      try {
        const { status, told } = await this.request("state", { version: this.version, seat: this.lifted }, { signal: this.asking.signal });
        if (status !== 200) this.cover(told.problem);
        if (status === 403 || status === 404) return;
        if (status === 200 && !told.same) {
          this.version = told.version;
          this.show(told);
          if (told.version === "over") return;
        }
        if (status !== 200) await pause(WAIT);
      } catch (problem) {
        if (problem.name === "AbortError") continue;
        if (!(problem instanceof TypeError)) throw problem;
        this.offline = true;
        this.draw();
        await pause(WAIT);
      }
    }
  }

  // The answer of the server; a fetch that fails raises a TypeError.
  async request(what, query, more = {}) {
    const asks = new URLSearchParams({ ...query, language: this.language });
    const answer = await fetch(`${location.pathname}${what}?${asks}`, { ...more, headers: { Authorization: `Cardfold ${this.secret}` }, cache: "no-store" });
    this.offline = false;
    return { status: answer.status, told: await answer.json() };
  }

  // Sends a decision, once; what comes of it is heard by `loop`.
  async send(what, choice) {
    if (this.sent) return;
    this.sent = true;
    this.release();
    this.draw();
    try {
      const { told: { question_version: version, seat } } = this;
      const { status, told } = await this.request(what, {}, { method: "POST", body: JSON.stringify({ version, seat, ...choice === undefined ? {} : { choice } }) });
      if (status !== 200) {
        this.viewer.toast(told.problem, 5000);
        this.sent = false;
        this.anew();
      }
    } catch (problem) {
      if (!(problem instanceof TypeError)) throw problem;
      this.sent = false;
      this.offline = true;
      this.draw();
    }
  }

  anew() {
    this.version = "";
    this.asking.abort();
  }

  // --- what is shown ------------------------------------------------------------------------------------------------

  dress() {
    const chosen = remembered("theme");
    const dark = chosen ? chosen === "dark" : darkAround(this.root);
    this.root.classList.toggle("dark", dark);
    this.root.classList.toggle("light", !dark);
  }

  show(told) {
    this.says = told.says ?? this.says;
    this.sent = false;
    if (told.curtain === undefined) this.table(told);
    else this.curtain(told);
  }

  // Instead of the table, of which nothing is left in the page.
  cover(...content) {
    this.close();
    this.root.querySelector(".app")?.remove();
    this.root.append(h("div", { class: "app cover", role: "main" }, h("div", { class: "sheet" }, content)));
  }

  curtain({ curtain, player }) {
    this.lifted = "";
    const lift = h("button", { class: "bt main", type: "button", onclick: () => { this.lifted = String(curtain); this.anew(); } }, this.says.curtain_lift.replace("{player}", () => player));
    this.cover(h("h1", {}, seatIcon(curtain), this.says.curtain.replace("{player}", () => player)), h("p", {}, this.says.curtain_means), lift);
    document.title = `${this.says.curtain.replace("{player}", () => player)} · Cardfold`;
    lift.focus();
  }

  close() {
    this.viewer?.close();
    this.viewer = null;
    this.told = null;
  }

  // A viewer on the new table; what has happened since is played to its end, then one is asked.
  table(told) {
    this.close();
    this.looking = told.over && this.looking;
    this.byFirst = grouped(told.question?.choices ?? []);
    this.held = null;
    this.ask = h("footer", { class: "ask", "aria-label": this.says.ask });
    this.question = h("div", { class: "aq", role: "status" });
    this.hint = h("p", { class: "hint" });
    this.guide = h("div", { class: "guide", role: "note" });
    this.answers = h("div", { class: "answers" });
    this.tools = h("div", { class: "tools" });
    this.ask.append(this.question, this.hint, this.answers, this.tools);
    const viewer = new Viewer(this.root, told.game, { address: "live", dark: () => darkAround(this.root), ask: (wish) => this.speak(wish.language), shown: () => this.shown() });
    this.root.viewer = this.viewer = viewer;
    this.told = told;
    viewer.app.classList.add("asks");
    viewer.app.append(this.guide, this.ask);
    viewer.help = () => this.help();
    const { last } = viewer.replay;
    const from = Math.min(this.seen[told.seat] ?? last, last);
    this.seen[told.seat] = last;
    document.title = `${told.question ? "● " : ""}${told.game.words.title} · Cardfold`;
    document.documentElement.lang = told.game.language;
    this.playOn(from, last);
  }

  playOn(from, last) {
    const { viewer } = this;
    const steps = countUpTo(viewer.replay.stops, last) - countUpTo(viewer.replay.stops, from);
    if (steps < 1 || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      viewer.jump(last);
      return;
    }
    viewer.jump(from);
    viewer.speed = Math.max(2, steps * BASE / TOLD);
    viewer.playing = true;
    viewer.tick();
  }

  speak(language) {
    if (!language || language === this.language) return;
    this.language = language;
    this.anew();
  }

  // After each step of the viewer.
  shown() {
    if (!this.viewer || !this.told) return;
    this.draw();
  }

  // Whether the board shows the table as it is now, and nothing is being told.
  get atHand() {
    return !this.looking && !this.viewer.playing && this.viewer.n === this.viewer.replay.last;
  }

  draw() {
    const { viewer, told, says } = this;
    if (!viewer || !told) return;
    const { seat, question, over } = told;
    const asked = question && this.atHand && !this.sent;
    viewer.app.classList.toggle("looks", Boolean(over || this.looking));
    this.light(asked);
    put(this.question, ...this.heading(asked));
    this.say("");
    put(this.answers, ...(asked ? this.buttons() : []));
    this.teach(asked);
    const tool = (key, letter, does, off) => h("button", { class: "bt", type: "button", disabled: Boolean(off), title: letter && `${says[key]} (${letter})`, onclick: does }, says[key]);
    const leave = told.replay && [h("a", { class: "bt main", href: told.replay }, says.open_replay), h("a", { class: "bt", href: "/play" }, says.play_again)];
    put(this.tools, ...over ? [told.problem && tool("again", "", () => this.send("again")), leave] : [
      viewer.playing && tool("skip", "Esc", () => this.skip()),
      told.problem && tool("again", "", () => this.send("again")),
      tool("back", "U", () => this.send("back"), !asked || !told.may_take_back),
      this.looking ? tool("to_question", "L", () => this.look()) : tool("look_back", "L", () => this.look(), viewer.playing),
      tool("concede", "C", () => this.concede(), told.conceding || this.sent)]);
    if (asked && this.byKey && (this.root.ownerDocument.activeElement ?? document.body) === document.body) this.spots()[0]?.focus({ focusVisible: true });
    this.ask.dataset.for = asked ? seat : "";
  }

  // In a guided first game: what one may do here and why; what the lesson takes is marked, and done if one asks for it.
  teach(asked) {
    const { told: { lesson, question }, says } = this;
    this.guide.hidden = !lesson || !asked;
    if (this.guide.hidden) return;
    const count = says.lesson_step.replace("{n}", lesson.step).replace("{all}", lesson.of);
    const taken = lesson.choice === null ? null : question.choices[lesson.choice];
    put(this.guide, h("b", {}, count), h("p", {}, lesson.text), taken && h("button", { class: "bt", type: "button", onclick: () => this.choose(taken) }, says.lesson_show));
    if (!taken) return;
    const [entity] = taken.entities;
    for (const node of entity === undefined ? [] : this.places(entity)) node.classList.add("wish");
    for (const node of this.answers.children) node.classList.toggle("wish", entity === undefined ? node.textContent === taken.text : node.entity === entity);
  }

  heading(asked) {
    const { viewer, told, says } = this;
    const { seat, question, waits, over } = told;
    const players = told.game.game.players;
    if (this.offline) return [icon("warn", 15), h("b", {}, says.offline)];
    if (told.problem) return [icon("warn", 15), h("b", {}, told.problem)];
    if (over) {
      const { result } = viewer.replay.frame(viewer.replay.last);
      const winner = result?.winner ?? null;
      const text = winner === null ? told.game.chrome.draw : told.game.chrome.wins.replace("{player}", () => players[winner].name);
      return [winner !== null && seatIcon(winner), h("b", {}, text), h("span", {}, result && say(told.game, `reason.${result.reason}`))];
    }
    if (told.conceding) return [h("b", {}, says.conceding)];
    const given = told.other_concedes && h("b", { class: "given" }, says.other_concedes.replace("{player}", () => players[1 - seat].name));
    if (this.looking) return [h("b", {}, says.looking)];
    if (viewer.playing) return [h("b", {}, says.telling)];
    if (this.sent) return [h("b", {}, says.sent)];
    if (question) return [seatIcon(seat), h("b", {}, question.text), asked && h("span", {}, says[this.lit || this.elsewhere.length ? "choose_lit" : "choose_here"]), given];
    return [seatIcon(1 - seat), h("b", {}, says[`waits_${waits}`].replace("{player}", () => players[1 - seat].name)), given];
  }

  // --- what may be chosen -------------------------------------------------------------------------------------------

  // Marks on the board what may be chosen, and what of the hand may not; the rest is for `buttons`.
  light(asked) {
    const { viewer, told } = this;
    const { element } = viewer.board;
    for (const node of element.querySelectorAll(".can, .cannot, .wish")) dim(node);
    this.elsewhere = [];
    this.lit = 0;
    if (!asked) return;
    const targets = this.targets();
    for (const [entity, choices] of targets.size ? targets : this.byFirst) {
      const nodes = this.places(entity);
      for (const node of nodes) {
        node.classList.add("can");
        node.entity = entity;
        node.setAttribute("aria-description", [this.says.can, ...choices.map(({ text }) => text)].join(" · "));
        if (!node.matches("button")) {
          node.setAttribute("role", "button");
          node.tabIndex = 0;
        }
      }
      this.lit += nodes.length;
      if (!nodes.length && this.held === null) this.elsewhere.push([entity, choices]);
    }
    if (this.held !== null) for (const node of this.places(this.held)) node.classList.add("can", "held");
    for (const { entities } of told.question.refused) for (const id of entities) for (const node of this.places(id)) node.classList.add("cannot");
  }

  // Where an entity is to be seen: a card and its like in the hand, what waits, a player's life.
  places(entity) {
    const { viewer: { board: { element }, frame, data } } = this;
    const card = frame.cards[entity];
    const ids = card?.zone === data.board.hand ? frame.zones[card.seat][card.zone].filter((id) => id === entity || (frame.cards[id]?.code === card.code && !this.byFirst.has(id))) : [entity];
    const wanted = entity < 2 ? `[data-seat="${entity}"]` : ids.map((id) => `[data-card="${id}"], [data-item="${id}"]`).join();
    const found = [...element.querySelectorAll(wanted)].filter((node) => node.getBoundingClientRect().width > 0 && !node.closest(".leaving"));
    return entity < 2 ? found.slice(0, 1) : found.filter((node) => !found.some((other) => other !== node && other.contains(node)));
  }

  // Of the card that is held: what it may be done to. Empty where there is nothing to aim at.
  targets() {
    return grouped(this.held === null ? [] : this.byFirst.get(this.held) ?? [], 1);
  }

  // What may be chosen and is not on the board: cards in piles or hands that are not open, and answers in words.
  buttons() {
    const { told: { question }, viewer } = this;
    const cards = this.elsewhere.map(([entity, choices]) => {
      const card = viewer.frame.cards[entity];
      if (!card) return h("button", { class: "bt", type: "button", onclick: () => this.choose(choices[0]) }, choices[0].text);
      const node = viewer.cardButton(entity);
      drawCard(node, viewer.data, { ...card, exhausted: false }, { mini: true, open: true });
      node.classList.add("can");
      node.entity = entity;
      return node;
    });
    const answers = question.choices.filter(({ entities }) => !entities.length);
    return [...cards, ...answers.map((choice) => h("button", { class: "bt main", type: "button", title: choice.passes ? "P" : undefined, onclick: () => this.choose(choice) }, choice.text))];
  }

  choose(choice) {
    this.send("act", this.told.question.choices.indexOf(choice));
  }

  // A click on what is lit: an answer where there is but one, else what may be done with it.
  take(entity, node) {
    const aimed = this.held === entity ? [] : this.targets().get(entity) ?? [];
    if (aimed.length) {
      if (aimed.length === 1) this.choose(aimed[0]);
      else this.hold(this.held, node, aimed);
      return;
    }
    const choices = this.byFirst.get(entity) ?? [];
    if (this.held === entity) this.release(true);
    else if (choices.length === 1 && !this.told.question.free) this.choose(choices[0]);
    else this.hold(entity, node, choices);
  }

  hold(entity, node, choices) {
    this.release();
    this.held = entity;
    const list = h("div", { class: "doing", role: "menu", "aria-label": this.says.actions }, choices.map((choice) =>
      h("button", { type: "button", role: "menuitem", onclick: () => this.choose(choice) }, h("span", {}, choice.text), (choice.cost || choice.price) && h("small", {}, choice.cost || choice.price.slice(1, -1)))));
    this.menu = list;
    this.viewer.app.append(list);
    place(list, node, this.viewer.app);
    this.light(true);
    list.firstChild.focus({ focusVisible: this.byKey });
  }

  // Lets go of what is held; `back` to where it is.
  release(back = false) {
    if (this.held === null || !this.viewer) return;
    const { held } = this;
    this.menu.remove();
    this.menu = null;
    this.held = null;
    if (!back) return;
    this.light(true);
    const there = this.places(held)[0] ?? [...this.answers.children].find((node) => node.entity === held);
    there?.focus({ focusVisible: this.byKey });
  }

  // What is said of the card that one points at: what it may do, or by which rule it may not.
  point(e) {
    if (!this.told?.question || !this.atHand) return;
    const node = e.target.closest?.("[data-card], .can");
    const entity = node?.entity ?? Number(node?.dataset.card);
    const code = (id) => this.viewer.frame.cards[id]?.code;
    const no = node?.classList.contains("cannot") && this.told.question.refused.find(({ entities }) => entities.some((id) => id === entity || code(id) === code(entity)));
    const yes = node?.classList.contains("can") && this.byFirst.get(entity);
    if (no) this.say(this.says.not_now.replace("{card}", () => nameOf(this.viewer.data, this.viewer.frame.cards[entity])), h("span", { lang: "en" }, ` ${no.why}.`), no.rule && h("small", {}, this.told.rules ? h("a", { href: `${this.told.rules}?rule=${no.rule}`, target: "_blank" }, no.rule) : no.rule));
    else this.say(yes ? yes.map(({ text, cost }) => [text, cost].filter(Boolean).join(", ")).slice(0, 3).join(" · ") : "");
  }

  say(...words) {
    put(this.hint, ...words);
  }

  // --- mouse and keys -----------------------------------------------------------------------------------------------

  click(e) {
    this.byKey = e.detail === 0;
    if (!this.told || !this.viewer) return;
    const node = e.target.closest?.(".can");
    if (node && this.atHand && this.told.question && !this.sent) {
      e.preventDefault();
      e.stopPropagation();
      this.take(node.entity, node);
    } else if (this.held !== null && !e.target.closest?.(".doing")) this.release(true);
  }

  key(e) {
    const { viewer } = this;
    if (!this.told || !viewer || viewer.over || e.ctrlKey || e.metaKey || e.altKey || e.target.matches?.("input, textarea, select")) return;
    const name = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    const does = this.keyed(name, e);
    if (!does) return;
    e.stopImmediatePropagation();
    if (does === true) return;
    e.preventDefault();
    does();
  }

  // What a key does; true: what it does to a button of its own.
  keyed(name, e) {
    const { told, viewer } = this;
    const { question } = told;
    if (viewer.playing) return ["Escape", "Enter", " "].includes(name) ? () => this.skip() : null;
    if (name === "?") return () => this.help();
    if (name === "l" && !told.over) return () => this.look();
    if (this.looking || told.over) return name === "Escape" && this.looking ? () => this.look() : null;
    if (STEPS.includes(name)) return () => {};
    if (name === "Enter" || name === " ") {
      const spot = e.target.closest?.(".can:not(button)");
      return spot ? () => spot.click() : true;
    }
    if (name in MOVES) return () => this.among(MOVES[name]);
    if (name === "Escape") return this.held === null ? null : () => this.release(true);
    const pass = question?.choices.find(({ passes }) => passes);
    return { p: pass && (() => this.choose(pass)), u: told.may_take_back && (() => this.send("back")), c: !told.conceding && !this.sent && (() => this.concede()) }[name] ?? null;
  }

  // All that may be chosen now, in the order in which it stands.
  spots() {
    if (this.menu) return [...this.menu.children];
    return [...this.viewer.board.element.querySelectorAll(".can"), ...this.answers.querySelectorAll("button")];
  }

  among(way) {
    this.byKey = true;
    const spots = this.spots();
    const at = spots.indexOf(document.activeElement);
    spots.at(at < 0 ? (way > 0 ? 0 : -1) : (at + way) % spots.length)?.focus({ focusVisible: true });
  }

  skip() {
    this.viewer.jump(this.viewer.replay.last);
  }

  look() {
    this.looking = !this.looking;
    this.release();
    if (this.looking) this.draw();
    else this.viewer.jump(this.viewer.replay.last);
  }

  concede() {
    const { viewer, says } = this;
    const sure = h("button", { class: "bt main", type: "button", onclick: () => { viewer.closeOverlay(); this.send("concede"); } }, says.concede);
    const no = h("button", { class: "bt", type: "button", onclick: () => viewer.closeOverlay() }, says.play_on);
    viewer.overlay(says.concede, h("div", { class: "abt" }, h("p", {}, says.concede_means), h("div", { class: "row" }, sure, no)));
    no.focus();
  }

  help() {
    const { viewer, says } = this;
    viewer.overlay(viewer.data.chrome.keys, h("div", { class: "abt" }, h("p", {}, says.help), h("dl", { class: "keys" }, PLAY_KEYS.map(([keys, what]) => [h("dt", {}, keys), h("dd", {}, says[what])]))));
  }
}

// Choices by what they are about: by the card that does it, or by what it is done to.
function grouped(choices, at = 0) {
  const found = new Map();
  for (const choice of choices) {
    const entity = choice.entities[at];
    if (entity !== undefined) found.set(entity, [...found.get(entity) ?? [], choice]);
  }
  return found;
}

function dim(node) {
  node.classList.remove("can", "held", "cannot", "wish");
  node.removeAttribute("aria-description");
  if (!node.matches("button") && node.tabIndex === 0) {
    node.removeAttribute("role");
    node.removeAttribute("tabindex");
  }
}

// Beside a card, so that what it may be aimed at stays to be seen; else above or below it. Always inside the window.
function place(list, node, area) {
  const [at, all, own] = [node, area, list].map((one) => one.getBoundingClientRect());
  const inside = (x, most) => Math.max(8, Math.min(x, most - 8));
  const right = at.right - all.left + 12;
  const left = at.left - all.left - own.width - 12;
  const aside = right + own.width < all.width - 8 ? right : left > 8 ? left : null;
  const middle = at.left - all.left + (at.width - own.width) / 2;
  const above = at.top - all.top - own.height - 8;
  const y = aside !== null ? at.top - all.top + (at.height - own.height) / 2 : above > 8 ? above : at.bottom - all.top + 8;
  list.style.left = `${inside(aside ?? middle, all.width - own.width)}px`;
  list.style.top = `${inside(y, all.height - own.height)}px`;
}

function pause(time) {
  return new Promise((done) => { setTimeout(done, time); });
}

new Play(document.querySelector(".cf"));
