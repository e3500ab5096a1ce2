// The viewer as a whole: what is shown, keys, play, address, theme. Mounted by `export default` below.

const BASE = 700; // milliseconds a plain line is shown at speed 1
const TURN_ENDS = 3; // times as long before the next turn
const KEYS = [
  ["←  →", "key_action"], ["Shift ←  →", "key_event_step"], ["↑  ↓", "key_turn"], ["N  P", "key_mark"], ["Home  End", "key_ends"], ["G", "key_go"],
  ["Space", "key_play"], ["+  −", "key_speed"], ["1  2  0", "key_seat"], ["F", "key_flip"], ["S", "key_spoiler"], ["?", "key_help"],
];
const SIGN = { verified: "check", unchecked: "plain", cut: "warn", altered: "cross", illegal: "cross" };
const BAD = ["cut", "altered", "illegal"]; // logs that are not as they should be

class Viewer {
  constructor(root, data, options) {
    this.root = root;
    this.data = data;
    this.options = options;
    this.replay = new Replay(data);
    this.n = 0;
    this.unit = "event";
    this.flipped = options.flipped ?? data.game.view === 1;
    this.spoilerFree = options.spoilerFree ?? false;
    this.playing = false;
    this.speed = Number(remembered("speed")) || 1;
    this.selected = null;
    this.hovered = null;
    this.lastShown = 0;
    this.unitName = say(data, `turn.${data.unit}`);
    this.build();
    this.goToAddress();
    this.setNotes(data.notes ?? []);
  }

  setNotes(notes) {
    this.notes.set(notes);
    this.log.showNotes();
    this.dock.show(this.n);
  }

  build() {
    const { data, root } = this;
    this.board = new Board(this);
    this.log = new Log(this);
    this.inspector = new Inspector(this);
    this.notes = new Notes(this);
    this.dock = new Dock(this);
    this.live = h("div", { class: "live", id: "cf-live", "aria-live": "polite" });
    this.board.element.setAttribute("aria-describedby", "cf-live");
    this.noteCount = h("span", { class: "cnt" });
    this.tabs = ["log", "notes", "card"].map((name) => h("button", { type: "button", role: "tab", "aria-controls": `cf-${name}`, "data-tab": name, onclick: () => this.openTab(name) }, data.chrome[name], name === "notes" && this.noteCount));
    this.rail = h("aside", { class: "rail" }, h("div", { class: "tabs" }, h("div", { role: "tablist", "aria-label": data.chrome.log }, this.tabs), h("span", { class: "sp" }), h("span", { class: "fl" }, data.chrome.follows)), this.log.element, this.notes.element, this.inspector.element);
    this.openTab("log");
    this.app = h("div", { class: data.board.rows.length ? "app in-rows" : "app", lang: data.language, role: this.options.address !== "page" && "main" }, this.bar(), this.banner(), this.board.element, this.rail, this.dock.element, this.live);
    root.querySelector(".app")?.remove();
    root.append(this.app);
    this.theme(remembered("theme"));
    this.listen();
  }

  bar() {
    const { data } = this;
    const { chrome, game } = data;
    const [one, two] = game.players;
    const name = (seat, player) => h("span", { class: "vsn", title: [player.name, player.player_kind, player.deck].filter(Boolean).join(" · ") }, seatIcon(seat),
      h("span", {}, h("b", {}, player.name), player.deck && h("small", {}, player.deck)));
    this.freeSwitch = h("button", { class: "tg", type: "button", role: "switch", onclick: () => this.toggleSpoilerFree() }, h("i", {}), h("span", {}, chrome.spoiler_free));
    this.themeButton = h("button", { class: "ib", type: "button", "aria-label": chrome.theme, title: chrome.theme, onclick: () => this.toggleTheme() });
    this.helpButton = h("button", { class: "ib q", type: "button", "aria-label": chrome.help, title: chrome.help, onclick: () => this.help() }, "?");
    const more = new Menu(this, "more", chrome.more, [[chrome.flip, () => this.flip()], [chrome.spoiler_free, () => this.toggleSpoilerFree()], [chrome.theme, () => this.toggleTheme()],
      ...this.options.ask ? Object.entries(data.languages).filter(([key]) => key !== data.language).map(([key, name]) => [name, () => this.ask("language", key)]) : [], [chrome.help, () => this.help()]], "more");
    return h("header", { class: "bar" }, h("span", { class: "lg" }, icon("logo", 28)),
      h("div", { class: "gm" }, h("b", { role: "heading", "aria-level": 1 }, data.words.title), h("span", {}, this.subtitle())),
      h("div", { class: "vs" }, name(0, one), h("i", {}, "vs"), name(1, two)), this.badge(), h("span", { class: "sp" }),
      this.seatSwitch(), this.freeSwitch,
      h("button", { class: "bt flp", type: "button", "aria-label": chrome.flip, title: chrome.flip, onclick: () => this.flip() }, icon("flip", 15), h("span", {}, chrome.flip)),
      shareMenu(this).element, this.languageSwitch(), this.themeButton, this.helpButton, more.element);
  }

  // Another seat's or language's data comes from outside: what is here holds only what this seat may know.
  seatSwitch() {
    const { data } = this;
    if (!this.options.ask || (data.game.view !== null && !data.full)) return this.seatSaid();
    const choice = (seat, ...label) => h("button", { type: "button", "aria-pressed": String(data.game.view === seat), onclick: () => this.askSeat(seat) }, label);
    return h("div", { class: "seg", role: "group", "aria-label": data.chrome.seats }, choice(null, data.chrome.all_open),
      data.game.players.map((player, seat) => choice(seat, seatIcon(seat), h("span", {}, player.name))));
  }

  // What one sees where there is nothing to choose: the log itself, or the file, is of one seat or all open.
  seatSaid() {
    const { data } = this;
    const { view, players } = data.game;
    return h("span", { class: "sees" }, view === null ? data.chrome.all_open : [seatIcon(view), h("span", {}, data.chrome.as_seen.replace("{player}", () => players[view].name))]);
  }

  languageSwitch() {
    const { data } = this;
    if (!this.options.ask) return null;
    const select = h("select", { class: "bt lng", "aria-label": data.chrome.choose_language, onchange: () => this.ask("language", select.value) },
      Object.entries(data.languages).map(([key, name]) => h("option", { value: key, selected: key === data.language }, name)));
    return select;
  }

  askSeat(seat) {
    if (seat !== this.data.game.view) this.ask("seat", seat);
  }

  ask(name, value) {
    clearTimeout(this.addressTimer);
    const url = this.link();
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    history.replaceState(history.state, "", url);
    this.options.ask(Object.fromEntries(["game", "seat", "language"].map((key) => [key, url.searchParams.get(key)])));
  }

  subtitle() {
    const { game, chrome } = this.data;
    return [`${chrome.game_id} ${String(game.id || this.data.address).slice(0, 6)}`, game.format, chrome[game.origin] ?? game.origin, game.at && day(this.data, game.at)].filter(Boolean).join(" · ");
  }

  // What is known of the log; a click says it in full, with the first record that differs, field by field.
  badge() {
    const { chrome, log } = this.data;
    if (!log) return null;
    this.badgeText = h("span", {});
    return h("button", { class: `badge ${log.verdict}`, type: "button", title: chrome[`${log.verdict}_means`], "aria-haspopup": "dialog", onclick: () => this.about() }, icon(SIGN[log.verdict], 15), this.badgeText);
  }

  about() {
    const { chrome, log } = this.data;
    const cell = (value) => h("td", {}, value === null ? "–" : typeof value === "string" ? value : JSON.stringify(value));
    const table = log.differences.length > 0 && h("table", { class: "dif" }, h("thead", {}, h("tr", {}, [chrome.field, chrome.written, chrome.right].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, log.differences.map(([field, written, right]) => h("tr", {}, h("th", { scope: "row" }, field), cell(written), cell(right)))));
    const there = log.record === null ? null : Math.min(log.record, this.replay.last);
    const go = there !== null && h("button", { class: "bt", type: "button", onclick: () => { this.closeOverlay(); this.jump(there); } }, chrome.go_to_step.replace("{n}", number(this.data, there)));
    const ruled = log.rule && this.options.address === "page" && location.pathname === "/replay"; // where the rules are a page too
    const rule = log.rule && h("p", {}, ruled ? h("a", { href: `/rules?rule=${log.rule}`, target: "_blank" }, log.rule) : log.rule);
    const general = !log.text || log.verdict === "unchecked"; // else what was found says it, and more
    this.overlay(chrome[log.verdict], h("div", { class: "abt" }, general && h("p", {}, chrome[`${log.verdict}_means`]), log.text && h("p", {}, log.text), log.verdict === "verified" && h("p", {}, chrome.verified_covers), log.detail && h("p", { lang: "en" }, log.detail), rule, table, go));
  }

  banner() {
    const { fault } = this.data;
    this.fault = fault && h("div", { class: "fault", role: "alert" }, icon("warn", 15), h("span", {}, h("b", {}, fault.text), fault.detail && [" ", h("span", { lang: "en" }, fault.detail)]));
    return this.fault;
  }

  // --- going somewhere ----------------------------------------------------------------------------------------------

  step(unit, way) {
    this.stop();
    this.go(this.replay.step(this.n, unit, way), unit);
  }

  jump(n) {
    this.stop();
    this.go(n, "jump");
  }

  // The beginning of the turn that the counter calls `number`; beyond the last one, that one.
  goToTurn(wanted) {
    const { turns } = this.replay;
    if (turns.length && Number.isInteger(wanted)) this.jump(turns[Math.max(0, Math.min(turns.length, wanted) - 1)].step);
  }

  go(n, unit) {
    const { replay } = this;
    const from = this.n;
    this.n = Math.max(0, Math.min(replay.last, n));
    this.unit = unit;
    const start = replay.windowStart(this.n, unit === "action" ? "action" : "event");
    const was = start >= 0 ? replay.frame(start) : null; // first: the later one goes on from it
    const frame = replay.frame(this.n);
    const motion = this.board.motion.way(unit, from);
    this.lastShown = performance.now();
    this.frame = frame;
    this.context = this.contextOf(start, frame, motion);
    this.showFree();
    this.board.show(frame, was, this.context);
    this.log.show(this.n, this.changes(frame, was));
    this.notes.show();
    this.dock.show(this.n);
    this.inspect();
    if (!this.playing) this.live.textContent = replay.lines[replay.lineAt(this.n, unit)].text;
    this.board.look(); // first all is drawn, then all is read, so that the browser lays the page out once
    this.log.look();
    this.board.settle();
    this.log.follow();
    this.writeAddress();
    this.options.shown?.();
    if (this.playing) this.tick(); // on from here, wherever one went meanwhile
  }

  // Spoiler-free, also what is said of the log tells only at its end where that is.
  showFree() {
    const { chrome, log } = this.data;
    const hide = this.spoilerFree && this.n < this.replay.last;
    this.freeSwitch.setAttribute("aria-checked", this.spoilerFree);
    this.app.classList.toggle("free", this.spoilerFree);
    if (this.fault) this.fault.hidden = hide;
    if (!log) return;
    const where = BAD.includes(log.verdict) && log.record !== null && !hide;
    put(this.badgeText, where ? chrome[`${log.verdict}_at`].replace("{n}", number(this.data, log.record)) : chrome[log.verdict]);
  }

  // What the window of steps start+1 … n did: cards touched, moves, cards turned up, the attack.
  contextOf(start, frame, motion) {
    const { replay, n } = this;
    const touched = new Set();
    const moves = [];
    const first = replay.actions[replay.actionOf[n]].first;
    const spots = [];
    for (let i = Math.min(start + 1, first); i <= n; i++) {
      const now = replay.now[i];
      const move = now.move_kind ? { card: now.cards[0], move_kind: now.move_kind } : null;
      if (i > start) {
        for (const card of now.cards) touched.add(card);
        if (move) moves.push(move);
      }
      if (i >= first && move) spots.push(move);
      if (i >= first && now.hit && this.unit !== "action") spots.length = 0;
    }
    let aim = frame.attack; // the last one in the window with a target, though the attack is over by its end
    for (let i = n; i > start && (aim?.[1] ?? null) === null; i--) aim = replay.aims[i] ?? aim;
    return { touched, moves, spots, aim, effect: this.effectOf(start, frame, aim), motion };
  }

  // The effect whose targets are marked: {item, card, aims}: the next to happen, the one of this action, or a blow just struck.
  effectOf(start, frame, aim) {
    const { replay, n } = this;
    let effect = replay.effects[n];
    if (this.unit === "action") for (let i = n; !effect && i > start; i--) effect = replay.effects[i];
    if (effect || aim) return effect;
    for (let i = n; i > start; i--) if (replay.now[i].hit) return { card: replay.now[i].hit[0], aims: [replay.now[i].hit[1]] };
    return null;
  }

  // [what, before, after] of the life totals, for the line of the log.
  changes(frame, was) {
    if (!was) return [];
    return Object.values(this.board.sides).flatMap(({ lives }) => lives.flatMap((life) => {
      const [a, b] = [life.of(was), life.of(frame)];
      return a === b ? [] : [[life.short ?? life.name.toLowerCase(), a, b]];
    }));
  }

  // --- cards ----------------------------------------------------------------------------------------------------------

  cardButton(id) {
    const node = h("button", { type: "button" });
    this.watchCard(node, id);
    return node;
  }

  watchCard(node, id) {
    node.dataset.card = id;
    const hover = () => { this.hovered = { id, node }; this.inspect(); };
    node.addEventListener("pointerenter", hover);
    node.addEventListener("pointerleave", () => { this.hovered = null; this.inspect(); });
    node.addEventListener("focus", () => { if (node.matches(":focus-visible")) hover(); });
    node.addEventListener("blur", () => { this.hovered = null; });
    node.addEventListener("click", () => {
      this.selected = this.selected === id ? null : id;
      this.openTab("card");
      this.go(this.n, this.unit);
    });
  }

  inspect() {
    if (!this.hovered?.node.isConnected) this.hovered = null; // a card that was taken away is not left by the pointer
    this.inspector.show(this.hovered?.id ?? this.selected ?? this.lastTouched(), this.frame);
  }

  // The card that was touched last, but for those that only changed places in a hand or pile.
  lastTouched() {
    for (let n = this.n; n >= Math.max(0, this.n - 60); n--) {
      const card = this.replay.now[n].cards.find((id) => this.frame.cards[id]);
      if (card !== undefined) return card;
    }
    return null;
  }

  openTab(name) {
    for (const tab of this.tabs) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    this.rail.className = `rail tab-${name}`;
    if (name !== "log") return;
    this.log.look();
    this.log.follow();
  }

  // All cards of a zone, over the board.
  openZone(seat, zone) {
    const { data } = this;
    const ids = this.frame.zones[seat][zone] ?? [];
    const cards = ids.map((id) => {
      const node = this.cardButton(id);
      const card = this.frame.cards[id];
      if (card) drawCard(node, data, { ...card, exhausted: false }, { mini: true, open: data.game.view === null || data.game.view === seat });
      else node.append(icon("back", 40));
      return node;
    }).reverse();
    this.overlay(`${data.game.players[seat].name}: ${say(data, `zone.${zone}`)} (${ids.length})`, h("div", { class: "grid" }, cards.length ? cards : h("p", {}, data.chrome.empty)));
  }

  help() {
    this.overlay(this.data.chrome.keys, h("dl", { class: "keys" }, KEYS.map(([keys, what]) => [h("dt", {}, keys), h("dd", {}, this.data.chrome[what])])));
  }

  overlay(title, content) {
    this.closeOverlay();
    this.before = this.root.getRootNode().activeElement;
    const close = h("button", { class: "ib", type: "button", "aria-label": this.data.chrome.close, onclick: () => this.closeOverlay() }, "✕");
    this.over = h("div", { class: "over", onclick: (e) => { if (e.target === this.over) this.closeOverlay(); } },
      h("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": title }, h("header", {}, h("b", {}, title), h("span", { class: "sp" }), close), content));
    this.app.append(this.over);
    close.focus();
  }

  closeOverlay() {
    if (!this.over) return;
    this.over.remove();
    this.over = null;
    this.inspect();
    if (this.before?.isConnected) this.before.focus();
  }

  // Tab stays inside what lies over the board.
  tabInside(e) {
    const stops = [...this.over.querySelectorAll("button, a, input")];
    const at = stops.indexOf(e.composedPath()[0]);
    const to = e.shiftKey ? (at <= 0 ? stops.length - 1 : at - 1) : (at + 1) % stops.length;
    return () => stops[to].focus();
  }

  // --- controls -------------------------------------------------------------------------------------------------------

  flip() {
    this.flipped = !this.flipped;
    this.board.build();
    this.go(this.n, this.unit === "action" ? "action" : "jump");
  }

  toggleSpoilerFree() {
    this.spoilerFree = !this.spoilerFree;
    this.go(this.n, "jump");
  }

  togglePlay() {
    if (this.playing) this.stop();
    else {
      this.playing = true;
      if (this.n >= this.replay.last) this.go(0, "jump");
      this.dock.show(this.n);
      this.tick();
    }
  }

  tick() {
    clearTimeout(this.timer);
    const next = this.replay.next(this.n, "event");
    if (next === undefined) {
      this.stop();
      this.go(this.replay.last, "event");
      return;
    }
    const ends = this.replay.turnIndex(next) !== this.replay.turnIndex(this.n) ? TURN_ENDS : this.replay.weight(this.n);
    this.timer = setTimeout(() => {
      if (this.playing && this.root.isConnected) this.go(next, "event");
    }, BASE / this.speed * ends);
  }

  stop() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.dock.show(this.n);
  }

  setSpeed(speed) {
    this.speed = speed;
    remember("speed", speed);
    this.dock.show(this.n);
    if (this.playing) this.tick();
  }

  changeSpeed(way) {
    const at = SPEEDS.indexOf(this.speed) + way;
    if (SPEEDS[at]) this.setSpeed(SPEEDS[at]);
  }

  // --- keys -----------------------------------------------------------------------------------------------------------

  listen() {
    this.onkey = (e) => this.key(e);
    window.addEventListener("keydown", this.onkey, true);
    this.onhash = () => { if (this.root.isConnected && this.options.address === "file" && this.namedStep !== null) this.goToAddress(); };
    window.addEventListener("hashchange", this.onhash);
  }

  key(e) {
    const from = e.composedPath()[0];
    if (!this.root.isConnected || e.ctrlKey || e.metaKey || e.altKey) return;
    if (from instanceof HTMLElement && (from.matches("input, textarea, select") || from.isContentEditable)) return;
    const does = this.keyed(e, from);
    if (!does) return;
    e.preventDefault();
    e.stopPropagation();
    does();
  }

  keyed(e, from) {
    if (this.over) {
      if (e.key === "Tab") return this.tabInside(e);
      return e.key === "Escape" || e.key === "?" ? () => this.closeOverlay() : null;
    }
    if (from instanceof HTMLElement && from.closest("[role=menu]")) return null;
    const onButton = from instanceof HTMLElement && from.matches("button, a") && from.matches(":focus-visible");
    const sideways = (way) => () => this.step(e.shiftKey ? "event" : "action", way);
    const keys = {
      ArrowLeft: sideways(-1), ArrowRight: sideways(1),
      ArrowUp: () => this.step("turn", -1), ArrowDown: () => this.step("turn", 1),
      Home: () => this.jump(0), End: () => this.jump(this.replay.last), g: () => this.dock.askTurn(),
      " ": onButton ? null : () => this.togglePlay(),
      "+": () => this.changeSpeed(1), "=": () => this.changeSpeed(1), "-": () => this.changeSpeed(-1),
      n: () => this.step("key", 1), p: () => this.step("key", -1),
      0: this.options.ask ? () => this.askSeat(null) : null, 1: this.options.ask ? () => this.askSeat(0) : null, 2: this.options.ask ? () => this.askSeat(1) : null,
      f: () => this.flip(), s: () => this.toggleSpoilerFree(), "?": () => this.help(),
    };
    return keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
  }

  // --- address, theme -------------------------------------------------------------------------------------------------

  // The step that the address names, as written there: a page keeps it beside the game, a file of its own after the #.
  get namedStep() {
    return new URLSearchParams(this.options.address === "page" ? location.search : location.hash.slice(1)).get("step");
  }

  // To the step of the address, counted as in the whole log. Where there is no such step, one is told, and where one is.
  goToAddress() {
    const { data: { full, chrome }, replay, namedStep: named } = this;
    const end = full ? full[replay.last] : replay.last;
    const first = replay.turns[0]?.step ?? 0;
    const isNumber = /^\d+$/.test(named);
    const step = Math.min(Number(named), end);
    this.jump(!isNumber ? first : full ? countUpTo(full, step) - 1 : step);
    if (named === null || (isNumber && Number(named) <= end)) return;
    const about = { n: named.slice(0, 20), last: number(this.data, end), here: number(this.data, full ? full[this.n] : this.n) };
    this.toast(chrome.no_step.replace(/\{(\w+)\}/g, (_, name) => about[name]), 6000);
  }

  link() {
    const url = new URL(location.href);
    const step = this.data.full ? this.data.full[this.n] : this.n; // counted as in the whole log
    if (this.options.address === "page") {
      url.searchParams.set("game", this.data.address);
      url.searchParams.set("step", step);
    } else if (this.options.address === "file") {
      url.hash = `step=${step}`;
    }
    return url;
  }

  // Without a browser history entry for each step; held back a little, as browsers limit how often. A step that was
  // put into the address meanwhile is gone to, and not written over.
  writeAddress() {
    if (this.options.address === "live") return;
    clearTimeout(this.addressTimer);
    const page = location.pathname, named = this.namedStep;
    this.addressTimer = setTimeout(() => {
      if (this.root.isConnected && location.pathname === page && this.namedStep === named) history.replaceState(history.state, "", this.link());
    }, 120);
  }

  copyLink() {
    const done = () => this.toast(this.data.chrome.copied);
    const failed = () => this.overlay(this.data.chrome.copy_link, h("p", { class: "lnk" }, String(this.link())));
    if (navigator.clipboard) navigator.clipboard.writeText(String(this.link())).then(done, failed);
    else failed();
  }

  toast(text, time = 1800) {
    const note = h("div", { class: "toast", role: "status" }, text);
    this.app.append(note);
    setTimeout(() => note.remove(), time);
  }

  theme(chosen) {
    const dark = chosen ? chosen === "dark" : this.options.dark();
    this.root.classList.toggle("dark", dark);
    this.root.classList.toggle("light", !dark);
    this.themeButton.replaceChildren(icon(dark ? "sun" : "moon", 17));
  }

  toggleTheme() {
    const chosen = this.root.classList.contains("dark") ? "light" : "dark";
    remember("theme", chosen);
    this.theme(chosen);
  }

  close() {
    this.stop();
    clearTimeout(this.addressTimer);
    window.removeEventListener("keydown", this.onkey, true);
    window.removeEventListener("hashchange", this.onhash);
    this.closing?.();
  }
}

function remember(name, value) {
  try { localStorage.setItem(`cardfold.${name}`, value); } catch { /* a browser that keeps nothing */ }
}

function remembered(name) {
  try { return localStorage.getItem(`cardfold.${name}`); } catch { return null; }
}

// What the page around has to say meanwhile: notes, a file that was asked for, or a sentence that something cannot be.
function tell(viewer, news) {
  if (!isFor(news, viewer.data)) return;
  viewer.setNotes(news.notes);
  const message = `${news.game} ${news.view} ${news.once}`;
  if (news.once === null || message === heard) return;
  heard = message;
  if (news.file) save(news.file.name, fromBase64(news.file.bytes));
  if ((news.file?.plan_seed ?? null) !== null) viewer.overlay(viewer.data.chrome.share, h("p", {}, viewer.data.chrome.small_seed.replace("{seed}", news.file.plan_seed)));
  if (news.problem) viewer.overlay(viewer.data.chrome.not_done, h("p", {}, news.problem));
}

function isFor(news, data) {
  return news?.game === data.address && news.view === data.game.view;
}

// What stays as it was when the same game is shown for another seat or in another language: nothing of its data.
function kept(viewer, { address, game }) {
  if (viewer?.data.address !== address) return {};
  return { spoilerFree: viewer.spoilerFree, flipped: viewer.data.game.view === game.view ? viewer.flipped : undefined };
}

const mounted = new WeakMap();
let heard = null; // the last message: a file is saved once, also where another viewer takes this one's place

// `data` is the game as JSON text. Called again whenever the page around is drawn anew; the same game goes on as it was.
// Without `setStateValue` and `setTriggerValue` it is a file of its own, whose log is `log`: {name, text}.
export default function mount({ parentElement, data, setStateValue, setTriggerValue, log }) {
  const root = parentElement.querySelector(".cf");
  const old = mounted.get(root);
  if (old?.source === data) {
    old.viewer.theme(remembered("theme"));
    return () => {};
  }
  old?.viewer.close();
  const game = JSON.parse(data);
  if (!isFor(window.cardfoldNews, game)) delete window.cardfoldNews; // another seat's notes are not for this one
  const viewer = new Viewer(root, game, {
    address: setStateValue ? "page" : "file", dark: () => darkAround(root), log,
    ...kept(old?.viewer, game),
    ask: setStateValue && ((wish) => setStateValue("wish", wish)), send: setTriggerValue,
  });
  mounted.set(root, { viewer, source: data });
  root.viewer = viewer;
  const hear = () => tell(viewer, window.cardfoldNews);
  window.addEventListener("cardfold-news", hear);
  viewer.closing = () => window.removeEventListener("cardfold-news", hear);
  hear();
  return () => {
    if (root.isConnected) return;
    viewer.close();
    mounted.delete(root);
  };
}
