// Elements, icons and the small landscapes drawn from a card's code. Text goes in by textContent only.

const SVG = "http://www.w3.org/2000/svg";

function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value; // as an attribute, a strict content policy refuses it
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// Whether the page around is dark: by the colour that it gives, else by the system.
function darkAround(element) {
  const ground = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(ground);
  if (hex) return hex.slice(1).reduce((sum, part) => sum + parseInt(part, 16), 0) < 384;
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// The element's children anew; what is null or false is left out. One that looks as before stays, so that the browser
// lays out no more than what differs: what a child does when clicked must follow from what it shows, or `data-card`.
function put(element, ...children) {
  const wanted = children.flat(3).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(typeof child === "number" ? digits(child) : child)));
  const own = new Set(wanted);
  let at = element.firstChild;
  for (const child of wanted) {
    const here = child.parentNode === element;
    while (here && at && at !== child && !own.has(at)) at = removed(at);
    if (at === child || (!here && at && !own.has(at) && at.isEqualNode(child))) {
      at = at.nextSibling;
    } else {
      element.insertBefore(child, at);
      if (!here && at && !own.has(at)) at = removed(at);
    }
  }
  while (at) at = removed(at);
}

// Takes a node out, and gives the one that came after it.
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function icon(name, size = 16, style = "") {
  return svg("svg", { class: `ic ${name}`, style: `width:${size}px;height:${size}px;${style}`, "aria-hidden": "true" },
    svg("use", { href: `#cf-${name}` }));
}

function seatIcon(seat) {
  return svg("svg", { class: `seatg s${seat}`, viewBox: "0 0 12 12", "aria-hidden": "true" },
    svg("use", { href: `#cf-seat${seat}` }));
}

const PIPS = ["red", "white", "blue", "black"];

// One symbol of a power source: a shape where the palette has one, else a number or letter in a ring.
function pip(name, size) {
  if (PIPS.includes(name)) return icon(`p-${name}`, size);
  return h("span", { class: "pipn", style: `width:${size}px;height:${size}px` }, name);
}

// {red: 2, any: 1} -> ▲ ▲ ①; above three of a kind: ▲ and their number
function pips(symbols, size) {
  return Object.entries(symbols).flatMap(([name, count]) => {
    if (!PIPS.includes(name)) return [pip(String(count), size)];
    if (count > 3) return [pip(name, size), h("b", { class: "times" }, String(count))];
    return Array.from({ length: count }, () => pip(name, size));
  });
}

// A mark of the timeline, centred on x, y: a closed shape, so that one of the future can be hollow.
function mark(shape, x, y, s = 5) {
  const d = (SHAPES[shape] ?? SHAPES.dot)(s).map(([dx, dy], i) => `${i ? "L" : "M"}${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`).join("");
  return svg("path", { class: "sh", d: `${d}Z` });
}

const SHAPES = {
  cross: (s) => [[-s, 2 - s], [2 - s, -s], [0, -2], [s - 2, -s], [s, 2 - s], [2, 0], [s, s - 2], [s - 2, s], [0, 2], [2 - s, s], [-s, s - 2], [-2, 0]],
  triangle: (s) => [[-s, s - 1], [0, -s], [s, s - 1]],
  star: (s) => Array.from({ length: 8 }, (_, i) => [i % 2 ? s / 2 : s + 1.5, Math.PI * i / 4]).map(([r, turn]) => [r * Math.sin(turn), -r * Math.cos(turn)]),
  flag: (s) => [[1 - s, s], [1 - s, -s], [s, -s], [s - 3, -s / 2], [s, 0], [2.5 - s, 0], [2.5 - s, s]],
  dot: (s) => Array.from({ length: 16 }, (_, i) => [(s - 1) * Math.sin(Math.PI * i / 8), (s - 1) * Math.cos(Math.PI * i / 8)]),
};

// --- landscapes: three tones, one motif for each family, varied by the card's code ---------------------------------

const TONES = {
  red: ["#F3D3C4", "#E08E6B", "#B4452F", "#6E1B14"], white: ["#DDE7EE", "#FFFFFF", "#C3D0DA", "#8FA3B2"],
  blue: ["#CFE3F2", "#7FB3DE", "#2F74B5", "#123F73"], black: ["#6B6A7A", "#8E8C9E", "#3B3B48", "#1C1C24"],
  gold: ["#FBEFC9", "#F3D37A", "#D39A24", "#8A6412"], purple: ["#CDB6DB", "#9A6BB5", "#5E2F7C", "#2F1242"],
  azure: ["#D3E4F3", "#8DB8DD", "#3D7FBB", "#1C4C7A"], rust: ["#F2D9C4", "#D99B6C", "#A3541F", "#5E2A0C"],
  indigo: ["#CBD5F3", "#7F93DB", "#3446A5", "#1A2472"], ochre: ["#FBF0C8", "#E8CE72", "#B5932A", "#6B5413"],
  teal: ["#CFE9E1", "#79BBAA", "#2A7869", "#12463C"], violet: ["#EAD7F8", "#C595EC", "#8C3CCB", "#4B1B73"],
  plain: ["#DCE2E8", "#AEBAC6", "#738293", "#3F4B58"],
  maroon: ["#F6DCCF", "#DD8A63", "#A8401C", "#541606"], ice: ["#E4F4F8", "#9CD0DD", "#4E98AB", "#255968"],
};

const MOTIFS = {
  red: earth, white: sky, blue: ocean, black: underworld, gold: halo, purple: thorns, azure: towers, rust: claws,
  indigo: ocean, ochre: sun, teal: earth, violet: thorns, maroon: flames, ice: wind, plain: anything,
};

const drawn = new Map();

// The picture of a card: the same for the same code, anywhere.
function picture(family, code) {
  const key = `${family} ${code}`;
  if (!drawn.has(key)) {
    const tones = TONES[family] ?? TONES.indigo;
    const pen = new Pen(key);
    pen.rect(0, 0, 120, 80, tones[0]);
    (MOTIFS[family] ?? ocean)(pen, tones, pen.any(26, 94), pen.any(18, 34));
    drawn.set(key, svg("svg", { class: "art", viewBox: "0 0 120 80", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" }, pen.shapes));
  }
  return drawn.get(key).cloneNode(true);
}

class Pen {
  constructor(seed) {
    this.shapes = [];
    let a = 2166136261;
    for (let i = 0; i < seed.length; i++) a = Math.imul(a ^ seed.charCodeAt(i), 16777619);
    this.random = () => {
      a = (a + 0x6D2B79F5) | 0;
      let t = Math.imul(a ^ (a >>> 15), 1 | a);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }
  any(low, high) { return low + (high - low) * this.random(); }
  one(list) { return list[Math.floor(this.random() * list.length)]; }
  put(tag, attributes) { this.shapes.push(svg(tag, attributes)); }
  rect(x, y, width, height, fill) { this.put("rect", { x, y, width, height, fill }); }
  path(d, fill, more) { this.put("path", { d, fill, ...more }); }
  circle(x, y, r, fill, opacity = 1) { this.put("circle", { cx: x.toFixed(0), cy: y.toFixed(0), r: r.toFixed(1), fill, opacity }); }
  ray(x, y, angle, width, length, fill, opacity) {
    const at = (a, r) => `${(x + r * Math.cos(a)).toFixed(0)} ${(y + r * Math.sin(a)).toFixed(0)}`;
    this.path(`M${at(angle, 0)}L${at(angle, length)}L${at(angle + width, length)}Z`, fill, { opacity });
  }
  ridge(y, height, peaks, fill) {
    const points = [[0, 80], [0, y + this.any(-height, height)]];
    for (let i = 1; i < peaks; i++) {
      points.push([120 * i / peaks + this.any(-5, 5), y + (i % 2 ? height : -height) * this.any(0.5, 1)]);
    }
    points.push([120, y + this.any(-height, height)], [120, 80]);
    this.put("polygon", { points: points.map(([a, b]) => `${a.toFixed(0)},${b.toFixed(0)}`).join(" "), fill });
  }
  wave(y, height, count, fill) {
    const n = 4 * count;
    const parts = Array.from({ length: n }, (_, i) => `q${(60 / n).toFixed(1)} ${i % 2 ? -height : height} ${(120 / n).toFixed(1)} 0`);
    this.path(`M0 80V${y}${parts.join("")}V80Z`, fill);
  }
}

function earth(pen, [, far, middle, near], x, y) {
  pen.circle(x, y, pen.any(9, 15), far);
  pen.ridge(44, 9, 6, far);
  pen.ridge(54, 9, 7, middle);
  pen.ridge(66, 7, 5, near);
}
function sky(pen, tones, x, y) {
  pen.circle(x, y + 6, pen.any(16, 24), tones[1]);
  for (let i = 0; i < 3; i++) {
    const top = 46 + 12 * i;
    for (let j = 0; j < 6; j++) pen.circle(pen.any(-6, 126), top + pen.any(-3, 6), pen.any(9, 15), tones[i + 1]);
    pen.rect(0, top + 6, 120, 40, tones[i + 1]);
  }
  const birds = 1 + Math.floor(pen.random() * 3);
  for (let i = 0; i < birds; i++) {
    pen.path(`M${pen.any(12, 100).toFixed(0)} ${pen.any(10, 32).toFixed(0)}q5 -6 9 0q4 -6 9 0`, "none", { stroke: tones[3], "stroke-width": 2.4 });
  }
}
function ocean(pen, [, far, middle, near], x, y) {
  pen.circle(x, y, pen.any(9, 14), "#fff", 0.75);
  pen.wave(44, pen.any(4, 9), pen.one([1, 1.5]), far);
  pen.wave(54, pen.any(5, 9), pen.one([1, 2]), middle);
  pen.wave(66, 5, pen.one([1.5, 2]), near);
}
function underworld(pen, [, far, , near], x, y) {
  for (let i = 0; i < 14; i++) pen.ray(x, y + 8, Math.PI * 2 * i / 14 + pen.any(0, 0.1), 0.16, 140, far, 0.5);
  const r = pen.any(13, 18);
  pen.circle(x, y + 8, r, "#E9E7F2");
  pen.circle(x + r * 0.42, y + 4, r * 0.9, "#3B3B48");
  pen.ridge(64, 9, 11, near);
}
function halo(pen, [light, far, middle, near], x, y) {
  for (const [r, fill] of [[46, far], [34, light], [26, far], [15, middle], [7, "#fff"]]) pen.circle(x, y + 12, r, fill, 0.9);
  for (let i = 0; i < 12; i++) pen.ray(x, y + 12, Math.PI * 2 * i / 12, 0.08, 44, middle, 0.6);
  pen.wave(68, 5, 1, near);
}
function sun(pen, [, far, middle, near], x, y) {
  for (let i = 0; i < 16; i++) pen.ray(x, y + 6, Math.PI * 2 * i / 16, 0.18, 150, far, 1);
  pen.circle(x, y + 6, 15, middle);
  pen.ridge(66, 5, 5, near);
}
function thorns(pen, [light, far, middle, near]) {
  for (let i = 0; i < 9; i++) pen.ray(60, 44, Math.PI * 2 * i / 9 + 0.2, 0.3, pen.any(40, 64), i % 2 ? far : middle, 1);
  pen.circle(60, 44, 18, near);
  pen.path("M48 44q12 -10 24 0q-12 10 -24 0Z", light);
  pen.circle(60, 44, 4, near);
}
function towers(pen, tones, x, y) {
  pen.circle(x, y, 11, "#fff", 0.8);
  [34, 46, 58].forEach((top, i) => {
    for (let left = -6; left < 120;) {
      const width = pen.any(12, 24);
      const third = (width / 3).toFixed(0);
      pen.path(`M${left.toFixed(0)} 80V${(top + pen.any(-9, 9)).toFixed(0)}h${third}v4h${third}v-4h${third}V80Z`, tones[i + 1]);
      left += width + pen.any(0, 7);
    }
  });
}
function claws(pen, [, far, middle, near], x, y) {
  pen.circle(x, y, 12, far);
  pen.ridge(56, 6, 9, far);
  pen.ridge(66, 7, 11, middle);
  for (let i = 0; i < 3; i++) pen.path(`M${(38 + 18 * i + pen.any(-3, 3)).toFixed(0)} 6q-4 34 -18 62q20 -20 26 -60Z`, near);
}
function anything(pen, tones, x, y) {
  pen.one([earth, ocean, sun, wind, flames, towers])(pen, tones, x, y);
}
function flames(pen, [, far, middle, near]) {
  for (let i = 0; i < 6; i++) {
    const height = pen.any(28, 60);
    pen.path(`M${(10 + 20 * i + pen.any(-5, 5) - 13).toFixed(0)} 82q-4 -26 12 -${height.toFixed(0)}q2 18 10 24q6 8 2 ${(height - 10).toFixed(0)}Z`, i % 2 ? middle : far);
  }
  pen.ridge(70, 4, 7, near);
}
function wind(pen, tones) {
  for (let i = 0; i < 4; i++) {
    pen.path(`M-4 ${(16 + 17 * i + pen.any(-3, 3)).toFixed(0)}H${pen.any(50, 92).toFixed(0)}a8 8 0 1 0 -8 -8`, "none",
      { stroke: tones[[1, 2, 3, 2][i]], "stroke-width": 5, "stroke-linecap": "round" });
  }
}
