// The page: where it is (the address), which games are open (tabs), and keys that work everywhere.

import { h, icon, memory, served, slim, toast } from "./dom.js";
import { ANALYSIS, gameAddress, readAddress } from "./address.js";
import { api } from "./api.js";
import { PAGE_KEYS } from "./keys.js";
import { shell, MOST_OPEN } from "./shell.js";
import { GameView } from "./game.js";
import { StudyView } from "./study.js";
import { keptStudy } from "./kept_studies.js";
import { exercises } from "./exercises.js";
import { forgetGames, games, homeView, setup } from "./home.js";
import { libraryView } from "./library.js";
import { watchView } from "./runs_and_matches.js";
import { rulesView } from "./rules.js";
import { help } from "./help.js";
import { watchLine } from "./banner.js";
import { watchFiles } from "./files.js";
import { takeSeat } from "./places.js";
import { sitDown } from "./me.js";
import { check, connect, onLine } from "./socket.js";

const main = document.getElementById("main");
function drawTabs() {
  const here = readAddress(location.hash).id;
  const tabs = document.getElementById("tabs");
  tabs.replaceChildren(...shell.tabs.map((tab, i) => h(`span.tab${tab.wait ? ".wait" : ""}`, {},
    h("a", { href: gameAddress(tab.id), "aria-current": tab.id === here ? "page" : null, title: `${tab.title} (${i + 1})` }, tab.title, tab.wait ? h("span.unseen", {}, ", your move") : ""),
    h("button", { type: "button", "aria-label": `Close ${tab.title}`, onclick: () => close(tab.id) }, icon("close")))));
  const current = tabs.querySelector("[aria-current]")?.parentElement; // many games, or a narrow page: the one shown is in sight
  if (current) tabs.scrollLeft = current.offsetLeft - Math.max(0, (tabs.clientWidth - current.offsetWidth) / 2);
}

/** Leave a tab. A game in which nobody has moved is not worth keeping. */
async function close(id) {
  const view = shell.views.get(id);
  view?.leave();
  if (view?.table && !view.steps.some((step) => step.by >= 0)) await api.drop(`/api/tables/${id}`).catch(() => {});
  shell.closed(id);
}

let going = 0, seated = "", examined = ""; // the games of which a seat was just taken, and a report asked for

async function route() {
  const turn = ++going;
  const { place, id, seat, query } = readAddress(location.hash);
  if (place === "game" && seat === ANALYSIS) { examined = id; location.replace(gameAddress(id)); return; }
  if (place === "game" && seat) { takeSeat(id, Number(seat) - 1); seated = id; location.replace(gameAddress(id)); return; }
  if (place === "shared" && !served) { await openShared(decodeURIComponent(id), seat, turn); return; }
  const left = shell.current;
  left?.leave?.();
  shell.current = null;
  drawTabs();
  try {
    let view, element;
    if (place === "game" && id) {
      await games();
      if (turn !== going) return;
      view = shell.views.get(id);
      if (view) { main.replaceChildren(view.element); view.resume(); view.refresh().catch(() => {}); }
      else {
        view = new GameView(shell, id);
        main.replaceChildren(view.element);
        await view.open();
        if (seated === id) { seated = ""; sitDown(id, view.table); }
        shell.views.set(id, view);
        if (shell.views.size > MOST_OPEN) { const [old] = shell.views.keys(); if (old !== id) shell.views.delete(old); }
      }
      if (examined === id) { examined = ""; view.analysis.examine(); }
      document.title = `${view.table.game.title} – Boardwright`;
    } else if (place === "exercises" && served) {
      await games();
      view = await exercises(shell);
      if (turn !== going) return;
      main.replaceChildren(view.element);
      await view.open?.();
      document.title = "Exercises – Boardwright";
    } else if (place === "study" && (id || shell.trial)) {
      view = id ? await keptStudy(shell, id) : new StudyView(shell, shell.trial.base, shell.trial.steps);
      if (turn !== going) return;
      main.replaceChildren(view.element);
      await view.open();
      document.title = "Study – Boardwright";
    } else if (place === "theatre" && served) {
      const { theatreView } = await import("./theatre/view.js"); // teachers load it, players do not
      view = await theatreView(id, query);
      if (turn !== going) { view.leave(); return; }
      main.replaceChildren(view.element);
      document.title = "Search theatre – Boardwright";
    } else {
      await games();
      view = place === "watch" ? await watchView(id) : place === "library" ? await libraryView(shell) : place === "rules" ? await rulesView(shell, decodeURIComponent(id), setup) : await homeView(shell);
      ({ element } = view);
      if (turn !== going) { view?.leave?.(); return; }
      main.replaceChildren(element);
      document.title = place === "library" ? "Library – Boardwright" : place === "watch" ? "Watch – Boardwright" : place === "rules" ? `${element.querySelector("h1").textContent} – Boardwright` : "Boardwright";
    }
    if (turn !== going) { view?.leave?.(); return; }
    shell.current = view || null;
    if (place === "new") { history.replaceState(null, "", "#/"); await setup(shell, decodeURIComponent(id)); return; }
    if (left) main.querySelector("h1")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  } catch (error) {
    if (turn !== going) return;
    if (error.status === 404 && place === "game") shell.gone(id, error.message);
    else instead("This did not work", error.message);
  }
}

/** Somebody sent a whole game in an address: it is kept here from now on, and shown. */
async function openShared(game, code, turn) {
  try {
    const { table } = await api.post("/api/links", { game, code });
    if (turn === going) location.replace(gameAddress(table));
  } catch (error) {
    if (turn !== going) return;
    shell.current?.leave?.();
    shell.current = null;
    instead("This link did not work", error.message);
  }
}

/** A page that says why there is nothing else. */
function instead(title, text) {
  main.replaceChildren(h("section.home", {}, h("h1", { tabindex: "-1" }, title), h("p", {}, text), h("p", {}, h("a.plain", { href: "#/" }, "All games"), " ", h("a.plain", { href: "#/library" }, "Library"))));
  document.title = "Boardwright";
}

shell.gone = (id, text) => {
  shell.closed(id, true);
  if (readAddress(location.hash).id !== id) return;
  shell.current = null;
  instead("This game is not here", /delete/.test(text) ? `It was deleted.${served ? " Games that others keep can be opened again from their record: Library, Paste or open a game." : ""}` : text);
  main.querySelector("h1").focus({ preventScroll: true });
};

// Light or dark: the system's choice until somebody chooses.

function dress() {
  const chosen = memory.get("theme", "");
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function undress() {
  memory.set("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  dress();
}

dress();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
document.getElementById("theme").addEventListener("click", undress);
document.getElementById("help").addEventListener("click", help);
document.getElementById("new-game").addEventListener("click", () => setup(shell));
slim.addEventListener("change", () => shell.current?.refresh?.());
addEventListener("hashchange", route);
shell.changed = drawTabs;
shell.again = route;
document.addEventListener("visibilitychange", () => { if (!document.hidden) { check(); shell.current?.refresh?.().catch?.(() => {}); } });
addEventListener("online", connect);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const at = event.target;
  if (at.closest("dialog")) return;
  if (at.matches("input, select, textarea")) { if (event.key === "Escape") at.blur(); return; }
  if ((event.key === " " || event.key === "Enter") && at.matches("button, a, summary")) return;
  const actions = { help, newGame: () => setup(shell), library: () => { location.hash = "#/library"; }, watch: () => { if (served) location.hash = "#/watch"; }, theme: undress };
  if (shell.current?.key?.(event)) event.preventDefault();
  else if (PAGE_KEYS[event.key]) { event.preventDefault(); actions[PAGE_KEYS[event.key]](); }
  else if (/^[1-9]$/.test(event.key) && shell.tabs[event.key - 1]) location.hash = gameAddress(shell.tabs[event.key - 1].id);
});

addEventListener("unhandledrejection", (event) => { toast(event.reason?.message || String(event.reason), "bad"); event.preventDefault(); });
watchLine();
onLine(() => shell.current?.lineChanged?.());
if (served) watchFiles(() => { forgetGames(); if (!shell.current?.table) route(); });
connect();
route();
