// Numbers and days as the language of the page writes them.
function number(data, n) {
  return new Intl.NumberFormat(data.language).format(n);
}

function day(data, text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? String(text).slice(0, 10) : new Intl.DateTimeFormat(data.language, { dateStyle: "medium", timeZone: "UTC" }).format(time);
}
