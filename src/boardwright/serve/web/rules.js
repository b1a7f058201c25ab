// The rules of a game on one page, with pictures that the game draws itself.

import { h } from "./dom.js";
import { api } from "./api.js";
import { picture } from "./board.js";

export async function rulesView(shell, name, begin) {
  const { title, chapters, move_help } = await api.get(`/api/games/${encodeURIComponent(name)}/rules`);
  const told = chapters.map(({ heading, text, picture: drawn, caption }) => h(`section.chapter${drawn ? ".drawn" : ""}`, {},
    h("div", {}, heading ? h("h2", {}, heading) : "", text.split(/\n\s*\n/).map((part) => h("p", {}, part))),
    drawn ? figure(drawn, caption) : ""));
  return { element: h("article.home.rules", {},
    h("h1", { tabindex: "-1" }, `Rules of ${title}`),
    told,
    move_help ? h("section.chapter", {}, h("div", {}, h("h2", {}, "Typing a move"), h("p", {}, `${move_help[0].toUpperCase()}${move_help.slice(1)}.`))) : "",
    h("p", {}, h("button.go", { type: "button", onclick: () => begin(shell, name) }, `Play ${title}`))) };
}

function figure(drawn, caption) {
  const svg = picture(drawn);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", caption || "The board");
  for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  return h("figure", {}, h("div.board", {}, svg), caption ? h("figcaption", {}, caption) : "");
}
