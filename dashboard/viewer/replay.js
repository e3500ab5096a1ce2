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

class Replay {
  constructor(data) {
    this.data = data;
    this.steps = data.steps;
    this.last = data.steps - 1;
    this.lines = data.lines.map(([told, depth, text], n) => ({ told, depth, text, quiet: text === "" || told !== n }));
    this.turns = data.turns.map(([step, turn, seat]) => ({ step, turn, seat }));
    this.actions = data.actions.map(([first, end, seat]) => ({ first, last: end, seat }));
    this.marks = data.marks.map(([step, seat, what]) => ({ step, seat, what }));
    this.markSteps = [...new Set(this.marks.map((m) => m.step))];
    this.shown = this.lines.flatMap((line, n) => (line.quiet ? [] : [n]));
    this.actionOf = new Array(this.steps);
    this.actions.forEach((a, i) => { for (let n = a.first; n <= a.last; n++) this.actionOf[n] = i; });
    this.now = [data.frames[0].now];
    this.aims = [data.frames[0].attack];
    for (let n = 1; n < this.steps; n++) {
      this.now.push(this.now[n - 1]);
      this.aims.push(this.aims[n - 1]);
      for (const op of data.patches[n]) {
        if (op[0][0] === "now") this.now[n] = op[1];
        if (op[0][0] === "attack") this.aims[n] = op[1];
      }
    }
  }

  // The table right after record n: the same whatever was looked at before.
  frame(n) {
    const key = this.data.key;
    const base = Math.floor(n / key);
    const frame = copyOf(this.data.frames[base]);
    for (let i = base * key + 1; i <= n; i++) applyPatch(frame, this.data.patches[i]);
    return frame;
  }

  // The steps a+1 … n are what "now" means: one line of the log, or a whole action.
  windowStart(n, unit) {
    if (unit === "action") return this.actions[this.actionOf[n]].first - 1;
    return before(this.shown, n) ?? n - 1;
  }

  step(n, unit, way) {
    const to = way > 0 ? this.next(n, unit) : this.previous(n, unit);
    return to ?? (way > 0 ? this.last : 0);
  }

  next(n, unit) {
    if (unit === "event") return after(this.shown, n);
    if (unit === "turn") return after(this.turns.map((t) => t.step), n);
    if (unit === "key") return after(this.markSteps, n) ?? n;
    const at = this.actionOf[n];
    return n < this.actions[at].last ? this.actions[at].last : this.actions[at + 1]?.last;
  }

  previous(n, unit) {
    if (unit === "event") return before(this.shown, n);
    if (unit === "turn") return before(this.turns.map((t) => t.step), n);
    if (unit === "key") return before(this.markSteps, n) ?? n;
    return this.actions[this.actionOf[n] - 1]?.last;
  }

  turnIndex(n) {
    return countUpTo(this.turns.map((t) => t.step), n) - 1;
  }

  // The line of the log that tells of step n: its own, or that of the record that tells of it too.
  lineAt(n) {
    return this.lines[n].told;
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
