// Small helpers: elements, icons, what is said aloud, what is remembered.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: h("button.quiet", {onclick}, "text", child). A property that starts with "on" is a listener. */
export function h(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  return fill(document.createElement(tag || "div"), classes, props, children);
}

/** The same for SVG. */
export function s(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  return fill(document.createElementNS(SVG, tag), classes, props, children);
}

function fill(element, classes, props, children) {
  if (classes.length) element.classList.add(...classes);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !(element instanceof SVGElement) && name !== "list" && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

export function icon(name) {
  const use = s("use", { href: `web/icons.svg#${name}` });
  return s("svg.icon", { "aria-hidden": "true", viewBox: "0 0 24 24" }, use);
}

export function button(name, label, onclick, props = {}) {
  return h("button.quiet", { type: "button", onclick, ...props }, icon(name), h("span", {}, label));
}

/** A promise that nobody presses on the element: a button that is replaced between press and release is not clicked. */
export function released(element) {
  return new Promise((done) => {
    const look = () => { if (element.matches(":active")) setTimeout(look, 50); else done(); };
    look();
  });
}

let waiting = 0;

/** Say something to those who hear the page. */
export function announce(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  clearTimeout(waiting);
  waiting = setTimeout(() => { live.textContent = text; }, 30); // an empty region first, or the same words twice are silent
}

/** A short message for the eye and the ear. */
export function toast(text, kind = "") {
  const shown = h(`div.toast${kind ? "." + kind : ""}`, {}, text);
  document.getElementById("toasts").append(shown);
  announce(text);
  setTimeout(() => shown.classList.add("going"), 5000);
  setTimeout(() => shown.remove(), 5600);
}

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const slim = matchMedia("(max-width: 640px)");

/** Whether a server answers; a published page has none, and does not offer what needs one. */
export const served = !("published" in document.documentElement.dataset);

/** A host may have several published sites, and what is remembered is the host's: each has names of its own. */
const MINE = served ? "boardwright." : `boardwright ${new URL("../", import.meta.url).pathname} `;

/** What this browser remembers between visits; nothing breaks where it may not. */
export const memory = {
  get(name, otherwise) {
    try {
      const found = JSON.parse(localStorage.getItem(`${MINE}${name}`));
      return found ?? otherwise;
    } catch { return otherwise; }
  },
  set(name, value) {
    try { localStorage.setItem(`${MINE}${name}`, JSON.stringify(value)); } catch { /* private windows */ }
  },
};

/** A dialog with a heading; Escape and the cross close it. */
export function dialog(title, ...content) {
  const shown = h("dialog.sheet", { "aria-label": title },
    h("header", {}, h("h2", {}, title),
      h("button.quiet.bare", { type: "button", "aria-label": "Close", onclick: () => shown.close() }, icon("close"))),
    ...content);
  shown.addEventListener("close", () => shown.remove());
  shown.addEventListener("click", (event) => { if (event.target === shown) shown.close(); });
  document.body.append(shown);
  shown.showModal();
  return shown;
}

/** Into the clipboard, or, where the browser has none (no secure address), into a box to copy from. */
export async function copyText(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    toast(words);
  } catch {
    const box = h("textarea.copybox", { rows: 6, readOnly: true, "aria-label": "Copy this" }, text);
    dialog("Copy this", box);
    box.select();
  }
}
