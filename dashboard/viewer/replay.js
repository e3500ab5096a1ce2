// The game as data: frames and patches, and where its turns, actions and key events are. Draws nothing.

// Applies a patch in place: [path, value] sets, [path] deletes, [path, at, cut, put] splices a list.
function applyPatch(frame, patch) {
  for (const [path, ...rest] of patch) {
    if (path.includes("__proto__")) continue; // a stranger's name, not a place of ours
    const last = path[path.length - 1];
    let place = frame;
    for (let i = 0; i < path.length - 1; i++) place = place[path[i]];
    if (rest.length === 0) delete place[last];
    else if (rest.length === 1) place[last] = copyOf(rest[0]);
    else place[last].splice(rest[0], rest[1], ...rest[2]);
  }
}

// Plain data, copied; many times quicker than structuredClone.
function copyOf(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy = {};
  for (const key in value) if (key !== "__proto__") copy[key] = copyOf(value[key]);
  return copy;
}

const KEPT = 3; // frames that are kept: a step needs that before it, too

class Replay {
  constructor(data) {
    this.data = data;
    this.steps = data.steps;
    this.last = data.steps - 1;
    this.lines = data.lines.map(([told, depth, text], n) => ({ told, depth, text, quiet: text === "" || told !== n }));
    this.moments = data.moments.map(([first, line, stop, folds]) => ({ first, line, stop, folds }));
    this.shown = this.moments.map(({ line }) => line);
    this.stops = this.moments.map(({ stop }) => stop);
    this.turns = data.turns.map(([step, turn, seat]) => ({ step, turn, seat }));
    this.turnSteps = this.turns.map(({ step }) => step);
    this.actions = data.actions.map(([first, last, seat, head, stop]) => ({ first, last, seat, head, stop }));
    this.actionStops = this.actions.map(({ stop }) => stop);
    this.marks = data.marks.map(([step, seat, what]) => ({ step, seat, what }));
    this.markSteps = [...new Set(this.marks.map(({ step }) => Math.max(step, this.momentAt(step).stop)))];
    this.actionOf = new Array(this.steps);
    this.actions.forEach((a, i) => { for (let n = a.first; n <= a.last; n++) this.actionOf[n] = i; });
    this.kept = [];
    this.now = [data.frames[0].now];
    this.aims = [data.frames[0].attack];
    this.effects = [null];
    for (let n = 1; n < this.steps; n++) {
      this.now.push(this.now[n - 1]);
      this.aims.push(this.aims[n - 1]);
      this.effects.push(this.effects[n - 1]);
      for (const op of data.patches[n]) {
        if (op[0][0] === "now") this.now[n] = op[1];
        if (op[0][0] === "attack") this.aims[n] = op[1];
        if (op[0][0] === "stack") this.effects[n] = op[1].findLast(({ aims }) => aims.length) ?? null;
      }
    }
  }

  // The table right after record n: the same whatever was looked at before. From the nearest one before it that is kept.
  frame(n) {
    const { key, frames, patches } = this.data;
    const whole = Math.floor(n / key) * key;
    const near = this.kept.filter((one) => one.n >= whole && one.n <= n).sort((one, other) => other.n - one.n)[0];
    const frame = copyOf(near ? near.frame : frames[whole / key]);
    for (let i = (near ? near.n : whole) + 1; i <= n; i++) applyPatch(frame, patches[i]);
    this.kept = [{ n, frame }, ...this.kept.filter((one) => one.n !== n)].slice(0, KEPT);
    return frame;
  }

  // The moment of the line that tells of step n: its own, or that of the record that tells of it too.
  momentAt(n) {
    return this.moments[Math.max(0, countUpTo(this.shown, this.lines[n].told) - 1)];
  }

  // The line that stands for what was gone to: of an action its head, else the one that tells of step n.
  lineAt(n, unit) {
    const action = this.actions[this.actionOf[n]];
    return unit === "action" && action.stop === n ? action.head : this.momentAt(n).line;
  }

  // What "now" means begins after this step: one line of the log, or a whole action.
  windowStart(n, unit) {
    return (unit === "action" ? this.actions[this.actionOf[n]].first : this.momentAt(n).first) - 1;
  }

  step(n, unit, way) {
    const to = way > 0 ? this.next(n, unit) : this.previous(n, unit);
    return to ?? (way > 0 ? this.last : 0);
  }

  next(n, unit) {
    return after(this.stopsOf(unit), n) ?? (unit === "key" ? n : undefined);
  }

  previous(n, unit) {
    return before(this.stopsOf(unit), n) ?? (unit === "key" ? n : undefined);
  }

  stopsOf(unit) {
    return { event: this.stops, action: this.actionStops, turn: this.turnSteps, key: this.markSteps }[unit];
  }

  // How long to look at it, against a plain line: longer for much text and for key events, shorter for what only leads on.
  weight(n) {
    const { line, stop } = this.momentAt(n);
    const wide = [...this.lines[line].text].reduce((sum, sign) => sum + (sign > "\u2e80" ? 2 : 1), 0);
    const key = this.markSteps.includes(stop) ? 0.8 : 0;
    return Math.min(2.5, 0.5 + wide / 70 + key);
  }

  turnIndex(n) {
    return countUpTo(this.turnSteps, n) - 1;
  }
}

function after(sorted, n) {
  return sorted[countUpTo(sorted, n)];
}

function before(sorted, n) {
  return sorted[countUpTo(sorted, n - 1) - 1];
}

function countUpTo(sorted, n) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= n) low = middle + 1;
    else high = middle;
  }
  return low;
}
