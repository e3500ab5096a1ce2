// What moves when a step is shown: leave, move, number, arrow, in this order and never more than two things at once.
// Where the system asks for less motion nothing moves: what changed has an amber ring for a moment.

const STEP = 180; // milliseconds that all motion of a step takes
const RING = 400; // milliseconds that the ring stays
const TOGETHER = 2; // things that may move at once
const QUICK = 250; // a step that follows the last one sooner is shown without either

class Motion {
  constructor(board) {
    this.board = board;
    this.running = [];
    this.ringed = [];
  }

  // How the step from `from` is shown: moving, with rings, or neither.
  way(unit, from) {
    const { view } = this.board;
    const quick = performance.now() - view.lastShown < QUICK || (view.playing && view.speed > 2);
    const one = ["event", "action"].includes(unit) && from !== view.n && [1, -1].some((way) => view.replay.step(from, unit, way) === view.n);
    if (quick || !one) return "";
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? "ring" : "move";
  }

  // Ends what still moves, and looks where the cards lie that this step touches. Reads the page: before it is changed.
  begin(context) {
    for (const animation of this.running) animation.cancel();
    this.running = [];
    this.clear();
    this.context = context;
    this.old = new Map();
    if (!context.motion) return;
    for (const [id, node] of this.cards()) {
      if (context.touched.has(id) || node.classList.contains("gone")) this.old.set(id, { node, box: node.getBoundingClientRect() });
    }
  }

  // What `read` finds with all in its place, also while something moves.
  still(read) {
    const times = this.running.map((animation) => animation.currentTime);
    for (const animation of this.running) animation.currentTime = STEP;
    const found = read();
    this.running.forEach((animation, i) => { animation.currentTime = times[i]; });
    return found;
  }

  cards() {
    return new Map([...this.board.element.querySelectorAll(".card[data-card]")].map((node) => [Number(node.dataset.card), node]));
  }

  // What has changed, in the order in which it moves. Reads the page: after it was changed, and before `start`.
  look(arrow) {
    const { context, old } = this;
    if (!context?.motion) return;
    const leave = [];
    const move = [];
    const cards = this.cards();
    for (const id of new Set([...old.keys(), ...context.touched])) {
      const before = old.get(id);
      const node = cards.get(id);
      const box = node?.getBoundingClientRect();
      if (!box?.width) {
        if (before?.box.width) leave.push(before);
      } else if (!before?.box.width) {
        move.push({ node, frames: [{ opacity: 0, transform: "scale(.92)" }, { opacity: 1, transform: "none" }] });
      } else if (far(before.box, box)) {
        move.push({ node, frames: glide(before.box, box) });
      }
    }
    const numbers = [...this.board.element.querySelectorAll(".was,.chg-n,.fresh")].filter((node) => node.textContent && node.getClientRects().length);
    this.area = this.board.element.getBoundingClientRect();
    this.found = [leave, move, numbers.map((node) => ({ node, frames: APPEARS })), arrow ? [{ node: this.board.arrow, frames: APPEARS }] : []];
  }

  // Sets it going, or rings it.
  start() {
    const found = this.found?.filter((things) => things.length) ?? [];
    this.found = null;
    if (this.context?.motion === "ring") this.ring(found.flat());
    else {
      const duration = STEP / Math.max(1, found.length);
      found.forEach((things, i) => {
        for (const thing of things.slice(-TOGETHER)) this.move(thing, { duration, delay: i * duration, easing: "ease-out", fill: "backwards" });
      });
    }
    this.context = null;
  }

  move({ node, frames, box }, timing) {
    const shown = box ? this.copy(node, box) : node;
    const animation = shown.animate(box ? LEAVES : frames, timing);
    if (box) animation.onfinish = animation.oncancel = () => shown.remove();
    this.running.push(animation);
  }

  // A card that is not there any more, as it looked, where it lay.
  copy(node, box) {
    const copy = node.cloneNode(true);
    copy.removeAttribute("data-card");
    copy.style.cssText = `width:${box.width}px;height:${box.height}px;margin:0`;
    const { element } = this.board;
    const place = h("div", { class: "leaving", "aria-hidden": "true", inert: true,
      style: `left:${box.left - this.area.left + element.scrollLeft}px;top:${box.top - this.area.top + element.scrollTop}px` }, copy);
    element.append(place);
    return place;
  }

  ring(things) {
    this.ringed = things.map(({ node }) => node).filter((node) => node.isConnected);
    for (const node of this.ringed) node.classList.add("lit");
    this.ringTimer = setTimeout(() => this.clear(), RING);
  }

  clear() {
    clearTimeout(this.ringTimer);
    for (const node of this.ringed) node.classList.remove("lit");
    this.ringed = [];
  }
}

const APPEARS = [{ opacity: 0 }, { opacity: 1 }];
const LEAVES = [{ opacity: 1, transform: "none" }, { opacity: 0, transform: "scale(.92)" }];

function far(a, b) {
  return Math.abs(a.left - b.left) + Math.abs(a.top - b.top) + Math.abs(a.width - b.width) > 1;
}

// From where it was to where it is.
function glide(from, to) {
  const start = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width}, ${from.height / to.height})`;
  return [{ transform: start, transformOrigin: "0 0", zIndex: 5 }, { transform: "none", transformOrigin: "0 0", zIndex: 5 }];
}
