// Watch: trainings and matches as they run. The server tells when anything has changed on its disk.

import { button, h, s, toast } from "./dom.js";
import { number, short, when } from "./format.js";
import { gameAddress } from "./address.js";
import { api } from "./api.js";
import { ask } from "./socket.js";
import { framed, legend } from "./axes.js";
import { crewPanel } from "./crew.js";
import { figureWords, inOrder, stepUnit } from "./figures.js";
import { shell } from "./shell.js";
import { exampleGame, titleOf } from "./home.js";

const WIDE = 600, HIGH = 170;

export async function watchView() {
  const view = new WatchView();
  await view.look();
  view.listen();
  return view;
}

class WatchView {
  constructor() {
    this.chosen = new Set();
    this.runs = h("div.watching");
    this.curves = h("div.watching");
    this.matches = h("div.watching");
    this.element = h("section.home", {}, h("h1", { tabindex: "-1" }, "Watch"),
      h("h2", {}, "Trainings"), this.runs, this.curves, h("h2", {}, "Matches"), this.matches);
    this.first = true;
  }

  leave() { this.news?.stop(); }

  listen() {
    this.news = ask("follow", {}, () => this.look());
    this.news.answer.catch((error) => toast(error.message, "bad"));
  }

  async look() {
    if (this.looking) { this.stale = true; return; } // what has changed meanwhile is looked at afterwards
    this.looking = true;
    try {
      const [{ runs }, { matches }] = await Promise.all([api.get("/api/runs"), api.get("/api/matches")]);
      if (this.first && runs[0]) this.chosen.add(runs[0].name);
      this.first = false;
      this.showRuns(runs);
      this.showMatches(matches);
      await this.showCurves();
    } catch (error) { if (!this.told) toast(error.message, "bad"); this.told = true; }
    this.looking = false;
    if (this.stale) { this.stale = false; await this.look(); }
  }

  showRuns(runs) {
    if (!runs.length) { drawn.delete(this.runs); this.runs.replaceChildren(h("p.hint", {}, "No training yet. Start one in a terminal: ", h("code", {}, `boardwright train ${exampleGame()}`))); return; }
    keep(this.runs, runs, () => runs.map((run) => h("label.panel.pickable", {},
      h("span.tools", {}, h("input", { type: "checkbox", checked: this.chosen.has(run.name), onchange: (event) => { this.chosen[event.target.checked ? "add" : "delete"](run.name); this.showCurves(); } }),
        h("strong", {}, run.name), run.fresh ? h("span.live", {}, "live") : ""),
      h("span.hint", {}, `${titleOf(run.game)} · ${run.method}${run.last.step !== undefined ? ` · ${number(run.last.step)} ${stepUnit(run.method)}` : ""}${run.last.seconds ? ` · ${Math.round(run.last.seconds / 60)} min` : ""}`))));
  }

  async showCurves() {
    const turn = this.turn = (this.turn || 0) + 1;
    const found = (await Promise.all([...this.chosen].map((name) => api.get(`/api/runs/${encodeURIComponent(name)}`).catch(() => null)))).filter(Boolean);
    if (turn !== this.turn) return; // others were chosen meanwhile
    const figures = inOrder(new Set(found.flatMap((run) => Object.keys(run.curves))));
    const panels = () => figures.map((figure) => panel(figure, found.filter((run) => run.curves[figure])));
    keep(this.curves, found, () => [...found.flatMap((run) => [this.#next(run), crewPanel(run)]), ...panels()]);
  }

  /** What can be done with a training now. */
  #next(run) {
    const words = run.fresh ? "It goes on in its terminal: Ctrl-C saves and stops, and the same command goes on."
      : run.command ? "It has stopped. This command, in the folder where it was begun, goes on:"
        : `It has stopped. The same command goes on: boardwright train ${run.game} with the options and the folder of before.`;
    return h("div.panel.next", {}, h("strong", {}, `What next with ${run.name}`), h("p.hint", {}, words),
      !run.fresh && run.command ? h("pre.command", {}, h("code", {}, run.command)) : "",
      run.model ? h("div.tools", {}, button("play", `Watch ${run.name} play`, () => this.play(run, false)), button("explore", `Play ${run.name}`, () => this.play(run, true)))
        : h("p.hint", {}, "It can be played as soon as its first checkpoint is written."));
  }

  /** A game of the newest checkpoint, against oneself or against a person. */
  async play(run, person) {
    try {
      const facts = await api.look(`/api/games/${run.game}`, { options: run.options });
      const seats = Array(facts.players).fill(`run:${run.name}`);
      if (person && facts.players > 1) seats[0] = "human";
      await shell.begin({ game: run.game, options: run.options, ...(person && facts.players === 1 ? { rival: seats[0] } : { seats }) });
    } catch (error) { toast(error.message, "bad"); }
  }

  showMatches(matches) {
    if (!matches.length) { drawn.delete(this.matches); this.matches.replaceChildren(h("p.hint", {}, "No match yet. Start one in a terminal: ", h("code", {}, `boardwright match ${exampleGame()} mcts:simulations=100 random`))); return; }
    keep(this.matches, matches.map((match) => [match, when(match.latest)]), () => matches.map((match) => {
      const alone = match.players.every((line) => line.share === undefined);
      const box = h("div.panel", {}, h("span.tools", {}, h("strong", {}, titleOf(match.game)), h("span.hint", {}, `${number(match.games)} games · ${when(match.latest)}`)),
        h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "player"), alone ? h("th.num", { scope: "col" }, "points") : [h("th.num", { scope: "col" }, "won"), h("th.num", { scope: "col" }, "Elo"), h("th.wide", { scope: "col" }, "share, 95 %")])),
          h("tbody", {}, match.players.map((line) => h("tr", {}, h("td", {}, line.player),
            alone ? h("td.num", {}, line.points === undefined ? "–" : `${number(line.points, 1)} ± ${number((line.points_high - line.points_low) / 2, 1)}`)
              : [h("td.num", {}, `${number(100 * line.share)} %`), h("td.num", {}, line.elo === undefined || line.elo === null ? "–" : (line.elo > 0 ? "+" : "") + number(line.elo)), h("td.wide", {}, interval(line))])))));
      box.append(button("play", "Games", async () => {
        const { recent } = await api.get(`/api/matches/${match.key}`);
        box.querySelector("ul")?.remove();
        box.append(h("ul.rows", {}, recent.map((game) => h("li", {}, h("a.plain", { href: gameAddress(game.id) }, `${game.players.join(" – ")}: ${(game.results || []).map((one) => number(one)).join(" : ")}`)))));
      }));
      return box;
    }));
  }
}

const drawn = new WeakMap(); // place -> what it shows, as text

/** Draw what was told, but not while somebody's focus or open list is there. What is shown already stays, and with it what
 *  the pointer reads. */
function keep(place, told, draw) {
  const text = JSON.stringify(told);
  if (place.childElementCount && (drawn.get(place) === text || place.contains(document.activeElement) || place.querySelector("ul"))) return;
  drawn.set(place, text);
  place.replaceChildren(...draw().filter(Boolean));
}

function interval(line) {
  const bar = h("span.meter", { role: "img", "aria-label": `${number(100 * line.low)} to ${number(100 * line.high)} percent` }, h("i.visits"), h("i.prior"));
  bar.children[0].style.left = `${100 * line.low}%`;
  bar.children[0].style.width = `${100 * (line.high - line.low)}%`;
  bar.children[1].style.left = `${100 * line.share}%`;
  return bar;
}

function panel(figure, runs) {
  const [title, unit] = figureWords(figure);
  const points = runs.flatMap((run) => run.curves[figure]);
  const last = Math.max(1, ...points.map(([step]) => step));
  const all = points.flatMap(([, value, low, high]) => [value, low ?? value, high ?? value]);
  const least = Math.min(...all), most = Math.max(...all);
  const room = most - least || Math.abs(most) || 1;
  const across = (step) => (WIDE * step) / last;
  const up = (value) => HIGH - 8 - ((HIGH - 16) * (value - least)) / room;
  const svg = s("svg.graph", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": `${title}${unit ? `, ${unit}` : ""}: ${runs.map((run) => `${run.name} now ${number(run.curves[figure].at(-1)[1], 3)}`).join(", ")}` });
  runs.forEach((run, i) => {
    const curve = run.curves[figure];
    const banded = curve.filter(([, , low, high]) => low !== null && low !== undefined && high !== null && high !== undefined);
    if (banded.length > 1) svg.append(s(`path.band.p${i % 4}`, { d: `M${banded.map(([step, , , high]) => `${across(step)} ${up(high)}`).join("L")}L${banded.slice().reverse().map(([step, , low]) => `${across(step)} ${up(low)}`).join("L")}Z` }));
    svg.append(s(`path.curve.p${i % 4}`, { d: `M${curve.map(([step, value]) => `${across(step).toFixed(1)} ${up(value).toFixed(1)}`).join("L")}` }));
  });
  const read = (share) => runs.map((run) => {
    const [step, value, low, high] = run.curves[figure].reduce((best, one) => (Math.abs(one[0] - share * last) < Math.abs(best[0] - share * last) ? one : best));
    return `${runs.length > 1 ? `${run.name} ` : ""}${short(value)}${low !== null && low !== undefined ? ` (${short(low)} to ${short(high)})` : ""} at ${number(step)}`;
  }).join(" · ");
  return h("div.panel", {}, h("span.tools", {}, h("strong", {}, title), h("span.hint", {}, unit)),
    framed(svg, { up: [short(most), short((most + least) / 2), short(least)], across: ["0", `${number(last)} ${stepUnit(runs[0].method)}`], read }),
    legend(runs.map((run, i) => ({ name: `${run.name}: ${short(run.curves[figure].at(-1)[1])}`, kind: `p${i % 4}` }))));
}
