// The viewer as a whole: what is shown, keys, play, address, theme. Mounted by `export default` below.

const BASE = 700; // milliseconds an event is shown at speed 1
const KEYS = [
  ["←  →", "key_action"], ["Shift ←  →", "key_event_step"], ["↑  ↓", "key_turn"], ["N  P", "key_mark"], ["Home  End", "key_ends"],
  ["Space", "key_play"], ["+  −", "key_speed"], ["1  2  0", "key_seat"], ["F", "key_flip"], ["S", "key_spoiler"], ["?", "key_help"],
];

class Viewer {
  constructor(root, data, options) {
    this.root = root;
    this.data = data;
    this.options = options;
    this.replay = new Replay(data);
    this.n = 0;
    this.unit = "event";
    this.flipped = data.game.view === 1;
    this.spoilerFree = false;
    this.playing = false;
    this.speed = Number(remembered("speed")) || 1;
    this.selected = null;
    this.hovered = null;
    this.lastShown = 0;
    this.unitName = say(data, `turn.${data.unit}`);
    this.build();
    this.go(this.startStep(), "jump");
  }

  build() {
    const { data, root } = this;
    this.board = new Board(this);
    this.log = new Log(this);
    this.inspector = new Inspector(this);
    this.dock = new Dock(this);
    this.live = h("div", { class: "live", "aria-live": "polite" });
    this.tabs = ["log", "card"].map((name) => h("button", { type: "button", class: name === "log" ? "on" : "", "data-tab": name, onclick: () => this.openTab(name) }, data.chrome[name]));
    this.rail = h("aside", { class: "rail tab-log" }, h("div", { class: "tabs" }, this.tabs, h("span", { class: "sp" }), h("span", { class: "fl" }, data.chrome.follows)), this.log.element, this.inspector.element);
    this.app = h("div", { class: "app", lang: data.language }, this.bar(), this.banner(), this.board.element, this.rail, this.dock.element, this.live);
    root.querySelector(".app")?.remove();
    root.append(this.app);
    this.theme(remembered("theme"));
    this.listen();
  }

  bar() {
    const { data } = this;
    const { chrome, game } = data;
    const [one, two] = game.players;
    const name = (seat, player) => h("span", { class: "vsn", title: [player.mind, player.deck].filter(Boolean).join(" · ") }, seatIcon(seat), h("span", {}, player.name));
    this.freeSwitch = h("button", { class: "tg", type: "button", role: "switch", "aria-checked": "false", onclick: () => this.toggleSpoilerFree() }, h("i", {}), h("span", {}, chrome.spoiler_free));
    this.themeButton = h("button", { class: "ib", type: "button", "aria-label": chrome.theme, title: chrome.theme, onclick: () => this.toggleTheme() });
    return h("header", { class: "bar" }, h("span", { class: "lg" }, icon("logo", 28)),
      h("div", { class: "gm" }, h("b", {}, data.words.title), h("span", {}, this.subtitle())),
      h("div", { class: "vs" }, name(0, one), h("i", {}, "vs"), name(1, two)), this.badge(), h("span", { class: "sp" }),
      this.seatSwitch(), this.freeSwitch,
      h("button", { class: "bt", type: "button", onclick: () => this.flip() }, icon("flip", 15), h("span", {}, chrome.flip)),
      h("button", { class: "bt", type: "button", onclick: () => this.copyLink() }, icon("link", 15), h("span", {}, chrome.copy_link)),
      this.languageSwitch(), this.themeButton, h("button", { class: "ib q", type: "button", "aria-label": chrome.help, title: chrome.help, onclick: () => this.help() }, "?"));
  }

  // Another seat's or language's data comes from outside: what is here holds only what this seat may know.
  seatSwitch() {
    const { data } = this;
    if (!this.options.ask || (data.game.view !== null && !data.full)) return null;
    const choice = (seat, ...label) => h("button", { type: "button", "aria-pressed": String(data.game.view === seat), onclick: () => this.askSeat(seat) }, label);
    return h("div", { class: "seg", role: "group", "aria-label": data.chrome.seats }, choice(null, data.chrome.all_open),
      data.game.players.map((player, seat) => choice(seat, seatIcon(seat), h("span", {}, player.name))));
  }

  languageSwitch() {
    const { data } = this;
    if (!this.options.ask) return null;
    const select = h("select", { class: "bt lng", "aria-label": data.chrome.choose_language, onchange: () => this.ask("language", select.value) },
      Object.entries(data.languages).map(([key, name]) => h("option", { value: key, selected: key === data.language }, name)));
    return select;
  }

  askSeat(seat) {
    if (seat !== this.data.game.view) this.ask("seat", seat === null ? null : seat + 1);
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
    const format = game.options.format ?? "";
    return [`${chrome.game_id} ${String(game.id || this.data.address).slice(0, 6)}`, format, chrome[game.origin] ?? game.origin, String(game.at).slice(0, 10)].filter(Boolean).join(" · ");
  }

  badge() {
    const { game, chrome } = this.data;
    if (!game.badge) return null;
    const good = game.badge === "verified" || game.badge === "whole";
    return h("span", { class: `badge ${good ? "ok" : "bad"}`, title: chrome[`${game.badge}_means`] }, icon(good ? "check" : "warn", 15), h("span", {}, chrome[game.badge] ?? game.badge));
  }

  banner() {
    return this.data.fault ? h("div", { class: "fault", role: "alert" }, icon("warn", 15), this.data.fault) : null;
  }

  // --- going somewhere ----------------------------------------------------------------------------------------------

  step(unit, way) {
    this.stop();
    this.go(this.replay.step(this.n, unit, way), unit);
  }

  go(n, unit) {
    const { replay } = this;
    const from = this.n;
    this.n = Math.max(0, Math.min(replay.last, n));
    this.unit = unit;
    const start = replay.windowStart(this.n, unit === "action" ? "action" : "event");
    const frame = replay.frame(this.n);
    const was = start >= 0 ? replay.frame(start) : null;
    const quick = performance.now() - this.lastShown < 220;
    this.lastShown = performance.now();
    const animate = !quick && unit !== "drag" && unit !== "jump" && unit !== "turn" && Math.abs(this.n - from) < 40 && !this.calm();
    this.frame = frame;
    this.context = this.contextOf(start, frame, animate);
    this.board.show(frame, was, this.context);
    this.log.show(this.n, this.changes(frame, was));
    this.dock.show(this.n);
    this.inspect();
    if (!this.playing) this.live.textContent = replay.lines[replay.lineAt(this.n)].text;
    this.writeAddress();
  }

  calm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches || (this.playing && this.speed > 2);
  }

  // What the window of steps start+1 … n did: cards touched, moves, cards turned up, the attack.
  contextOf(start, frame, animate) {
    const { replay, n } = this;
    const touched = new Set();
    const moves = [];
    const first = replay.actions[replay.actionOf[n]].first;
    const spots = [];
    for (let i = Math.min(start + 1, first); i <= n; i++) {
      const now = replay.now[i];
      const move = now.how ? { card: now.cards[0], how: now.how } : null;
      if (i > start) {
        for (const card of now.cards) touched.add(card);
        if (move) moves.push(move);
      }
      if (i >= first && move) spots.push(move);
      if (i >= first && now.hit && this.unit !== "action") spots.length = 0;
    }
    let aim = frame.aimed;
    if (this.unit === "action") for (let i = n; !aim && i >= first; i--) aim = replay.aims[i];
    return { touched, moves, spots, aim, animate };
  }

  // [what, before, after] of the life totals, for the line of the log.
  changes(frame, was) {
    if (!was) return [];
    return Object.values(this.board.sides).flatMap(({ lives }) => lives.flatMap((life) => {
      const [a, b] = [life.of(was), life.of(frame)];
      return a === b ? [] : [[life.name.toLowerCase(), a, b]];
    }));
  }

  // --- cards ----------------------------------------------------------------------------------------------------------

  cardButton(id) {
    const node = h("button", { type: "button", "data-card": id });
    this.watchCard(node, id);
    return node;
  }

  watchCard(node, id) {
    node.addEventListener("pointerenter", () => { this.hovered = id; this.inspect(); });
    node.addEventListener("pointerleave", () => { this.hovered = null; this.inspect(); });
    node.addEventListener("focus", () => { if (node.matches(":focus-visible")) { this.hovered = id; this.inspect(); } });
    node.addEventListener("blur", () => { this.hovered = null; });
    node.addEventListener("click", () => {
      this.selected = this.selected === id ? null : id;
      this.openTab("card");
      this.go(this.n, this.unit);
    });
  }

  inspect() {
    this.inspector.show(this.hovered ?? this.selected ?? this.lastTouched(), this.frame);
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
    for (const tab of this.tabs) tab.classList.toggle("on", tab.dataset.tab === name);
    this.rail.className = `rail tab-${name}`;
  }

  // All cards of a zone, over the board.
  openZone(seat, zone) {
    const { data } = this;
    const ids = this.frame.zones[seat][zone] ?? [];
    const cards = ids.map((id) => {
      const node = this.cardButton(id);
      const card = this.frame.cards[id];
      if (card) drawCard(node, data, { ...card, down: false }, { mini: true, open: data.game.view === null || data.game.view === seat });
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
    const close = h("button", { class: "ib", type: "button", "aria-label": this.data.chrome.close, onclick: () => this.closeOverlay() }, "✕");
    this.over = h("div", { class: "over", onclick: (e) => { if (e.target === this.over) this.closeOverlay(); } },
      h("div", { class: "sheet", role: "dialog", "aria-label": title }, h("header", {}, h("b", {}, title), h("span", { class: "sp" }), close), content));
    this.app.append(this.over);
    close.focus();
  }

  closeOverlay() {
    this.over?.remove();
    this.over = null;
  }

  // --- controls -------------------------------------------------------------------------------------------------------

  flip() {
    this.flipped = !this.flipped;
    this.board.build();
    this.go(this.n, this.unit === "action" ? "action" : "jump");
  }

  toggleSpoilerFree() {
    this.spoilerFree = !this.spoilerFree;
    this.freeSwitch.setAttribute("aria-checked", this.spoilerFree);
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
      this.go(this.replay.last, "event");
      this.stop();
      return;
    }
    const ends = this.replay.turnIndex(next) !== this.replay.turnIndex(this.n) ? 3 : 1;
    this.timer = setTimeout(() => {
      if (!this.playing || !this.root.isConnected) return;
      this.go(next, "event");
      this.tick();
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
    if (e.key === "Escape") return this.over ? () => this.closeOverlay() : null;
    const onButton = from instanceof HTMLElement && from.matches("button, a") && from.matches(":focus-visible");
    const sideways = (way) => () => this.step(e.shiftKey ? "event" : "action", way);
    const keys = {
      ArrowLeft: sideways(-1), ArrowRight: sideways(1),
      ArrowUp: () => this.step("turn", -1), ArrowDown: () => this.step("turn", 1),
      Home: () => { this.stop(); this.go(0, "jump"); }, End: () => { this.stop(); this.go(this.replay.last, "jump"); },
      " ": onButton ? null : () => this.togglePlay(),
      "+": () => this.changeSpeed(1), "=": () => this.changeSpeed(1), "-": () => this.changeSpeed(-1),
      n: () => this.step("key", 1), p: () => this.step("key", -1),
      0: this.options.ask ? () => this.askSeat(null) : null, 1: this.options.ask ? () => this.askSeat(0) : null, 2: this.options.ask ? () => this.askSeat(1) : null,
      f: () => this.flip(), s: () => this.toggleSpoilerFree(), "?": () => (this.over ? this.closeOverlay() : this.help()),
    };
    return keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
  }

  // --- address, theme -------------------------------------------------------------------------------------------------

  startStep() {
    const wanted = Number(new URLSearchParams(location.search).get("step") ?? NaN);
    const { full } = this.data;
    const step = full ? countUpTo(full, wanted) - 1 : wanted;
    if (this.options.address && Number.isInteger(wanted) && step >= 0 && step < this.replay.steps) return step;
    return this.replay.turns[0]?.step ?? 0;
  }

  link() {
    const url = new URL(location.href);
    url.searchParams.set("game", this.data.address);
    url.searchParams.set("step", this.data.full ? this.data.full[this.n] : this.n); // counted as in the whole log
    return url;
  }

  // Without a browser history entry for each step; held back a little, as browsers limit how often.
  writeAddress() {
    if (!this.options.address) return;
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => {
      if (this.root.isConnected) history.replaceState(history.state, "", this.link());
    }, 120);
  }

  copyLink() {
    const done = () => this.toast(this.data.chrome.copied);
    const failed = () => this.overlay(this.data.chrome.copy_link, h("p", { class: "lnk" }, String(this.link())));
    if (navigator.clipboard) navigator.clipboard.writeText(String(this.link())).then(done, failed);
    else failed();
  }

  toast(text) {
    const note = h("div", { class: "toast", role: "status" }, text);
    this.app.append(note);
    setTimeout(() => note.remove(), 1800);
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
  }
}

function remember(name, value) {
  try { localStorage.setItem(`cardfold.${name}`, value); } catch { /* a browser that keeps nothing */ }
}

function remembered(name) {
  try { return localStorage.getItem(`cardfold.${name}`); } catch { return null; }
}

// Whether the page around is dark: by the colour that it gives, else by the system.
function darkAround(element) {
  const ground = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(ground);
  if (hex) return hex.slice(1).reduce((sum, part) => sum + parseInt(part, 16), 0) < 384;
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

const mounted = new WeakMap();

// `data` is the game as JSON text. Called again whenever the page around is drawn anew; the same game goes on as it was.
export default function mount({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".cf");
  const old = mounted.get(root);
  if (old?.source === data) {
    old.viewer.theme(remembered("theme"));
    return () => {};
  }
  old?.viewer.close();
  const viewer = new Viewer(root, JSON.parse(data), {
    address: true, dark: () => darkAround(root), ask: setStateValue && ((wish) => setStateValue("wish", wish)),
  });
  mounted.set(root, { viewer, source: data });
  root.viewer = viewer;
  return () => {
    if (root.isConnected) return;
    viewer.close();
    mounted.delete(root);
  };
}
