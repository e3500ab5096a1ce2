// What goes out of the viewer: a link to the step, and files. A page has them made; a file of its own holds its log.

class Menu {
  // items: [[label, does], …]; those without a label are left out.
  constructor(view, sign, label, items, kind = "") {
    this.list = h("div", { class: "mnu", role: "menu", "aria-label": label, hidden: true }, items.map(([text, does]) =>
      h("button", { type: "button", role: "menuitem", onclick: () => { this.close(true); does(); } }, text)));
    this.button = h("button", { class: "bt", type: "button", "aria-haspopup": "menu", "aria-expanded": "false", "aria-label": label, title: label, onclick: () => (this.list.hidden ? this.open() : this.close(true)) }, icon(sign, 15), h("span", {}, label));
    this.element = h("div", { class: `mnb ${kind}` }, this.button, this.list);
    this.element.addEventListener("focusout", (e) => { if (!this.element.contains(e.relatedTarget)) this.close(false); });
    this.element.addEventListener("keydown", (e) => this.key(e));
  }

  open() {
    this.list.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.list.firstChild.focus();
  }

  close(back) {
    this.list.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    if (back) this.button.focus();
  }

  key(e) {
    if (this.list.hidden) return;
    const items = [...this.list.children];
    const at = items.indexOf(e.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: -1 + items.length }[e.key];
    if (to !== undefined) items[to % items.length].focus();
    else if (e.key === "Escape") this.close(true);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

function shareMenu(view) {
  const { data, options } = view;
  const { chrome } = data;
  const items = [[chrome.copy_link, () => view.copyLink()]];
  const want = (what) => () => options.send("want", { game: data.address, what, view: data.game.view, once: `${Date.now()}.${Math.random()}` });
  if (options.log) items.push([chrome.save_log, () => save(options.log.name, new Blob([options.log.text]))]);
  if (options.send) {
    items.push([chrome.download_log, want("log")]);
    if (data.game.view === null || data.full) {
      data.game.players.forEach((player, seat) => items.push([chrome.download_seat.replace("{player}", () => player.name), want(`seat${seat}`)]));
    }
    items.push([chrome.download_anonymous, want("anonymous")], [chrome.download_html, want("html")]);
  }
  return new Menu(view, "share", chrome.share, items);
}

// Bytes as Python sent them, in base64.
function fromBase64(text) {
  return new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
}

function save(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
