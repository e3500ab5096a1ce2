// Numbers and days as the language of the page writes them.
function number(data, n) {
  if (!formats.has(data.language)) formats.set(data.language, new Intl.NumberFormat(data.language));
  return formats.get(data.language).format(n);
}

// A value of the game, without marks between thousands; below zero with a minus sign, as texts of cards have it.
function digits(n) {
  return String(n).replace("-", "−");
}

const formats = new Map(); // to make one takes a millisecond

function day(data, text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? String(text).slice(0, 10) : new Intl.DateTimeFormat(data.language, { dateStyle: "medium", timeZone: "UTC" }).format(time);
}
