// Analysis: what a search thinks of the position shown, and what it thought of the whole game. Off until asked for.

import { announce, button, h, memory, released, served, slim, toast } from "./dom.js";
import { accountText, errorText, lossText, mark, number, verdictText, worth } from "./format.js";
import { api } from "./api.js";
import { LABELS, countsOf, labelsOf, mistakeAfter, mistakesOf, rowOf, shade, verdictAt } from "./labels.js";
import { sideOf } from "./names.js";
import { graph } from "./graph.js";
import { treeList } from "./tree.js";
import { Learning } from "./mistakes.js";
import { games } from "./home.js";

const REFINE_SECONDS = 600; // that a report is made better for, unless told to stop
const BUDGETS = [[3, "3 s"], [10, "10 s"], [60, "1 min"], [600, "10 min"]];

export class Analysis {
  constructor(game) {
    this.game = game;
    this.on = false;
    this.report = null;
    this.budget = memory.get("budget", 10);
    this.most = memory.get("most", 8);
    this.head = h("div.ahead");
    this.table = h("div.candidates");
    this.lineText = h("p.line", { "aria-live": "off" });
    this.tree = h("div.tree");
    this.judged = h("div.judged", { onpointerenter: () => { this.read = true; }, onpointerleave: () => { this.read = false; if (this.better) this.showReport(); } });
    this.read = false; // whether somebody points at the report
    this.better = false; // whether it has been refined since it was drawn
    this.lesson = h("div.lesson");
    this.element = h("aside.analysis", { "aria-label": "Analysis", hidden: true }, this.head, this.table, this.lineText, this.tree, this.lesson, this.judged);
  }

  toggle() {
    this.on = !this.on;
    this.element.hidden = !this.on;
    this.game.element.classList.toggle("analysing", this.on);
    if (this.on) { this.recall(); this.refresh(); announce("Analysis on"); } else { this.stop(); this.clear(); announce("Analysis off"); }
    this.game.showActions();
    this.showReport();
  }

  stop() { this.running?.stop(); this.running = null; this.hinting?.stop(); }

  clear() {
    this.stop();
    this.found = null;
    this.game.board.candidates([], String);
    this.table.replaceChildren();
    this.lineText.textContent = "";
    this.tree.replaceChildren();
  }

  gameChanged() {
    if (this.report && this.report.plies > this.game.table.ply) this.report = null;
    if (this.judging && this.judging.plies !== this.game.table.ply) { this.judging.stop(); this.judging = null; }
  }

  /** The position has changed: look at the new one. */
  refresh() {
    this.stop();
    if (!this.on) return;
    this.clear();
    this.showHead(null);
    this.showReport();
    if (this.game.view.player < 0 || this.game.learning) return;
    this.search();
  }

  search() {
    const fields = { ...this.game.where(), seconds: this.budget, most: 20 };
    const running = this.game.look("analyse", fields, (report) => {
      if (this.running !== running) return;
      if (report.preparing) this.head.querySelector(".hint").textContent = "Preparing…";
      else if (!this.element.matches(":active")) this.show(report, false);
    });
    this.running = running;
    this.showHead(null);
    running.answer.then(async (answer) => {
      await released(this.element);
      if (this.running !== running) return;
      this.running = null;
      if (answer.candidates) this.show(answer, true);
      this.lookId = running.id;
      this.tree.replaceChildren(treeList(running.id, this.game));
      this.showHead(answer);
    }, (error) => { if (this.running === running) { this.running = null; toast(error.message, "bad"); this.showHead(null); } });
  }

  /** One look at full strength: the best move, on the board. */
  async hint() {
    const { game } = this;
    if (game.view.player < 0) return;
    announce("Looking for the best move");
    const here = () => JSON.stringify([game.where(), game.table.era]), asked = here();
    const hinting = game.look("analyse", { ...game.where(), seconds: 2, most: 5 });
    this.hinting = hinting;
    try {
      const answer = await hinting.answer;
      if (here() !== asked || !answer.candidates) return; // another position by now, or one of another line
      const best = answer.candidates[0];
      game.board.candidates([best], (one) => this.mark(one));
      game.table.assisted = true;
      game.sub.textContent = game.subtitle();
      toast(`Hint: ${best.move}${best.does ? `, ${best.does}` : ""} (${this.worth(best.value).replace(" ", "\u00a0")})`);
    } catch (error) { toast(error.message, "bad"); }
  }

  worth(value) { return worth(value, this.game.points); }
  off(error) { return h("small", {}, errorText(error, this.game.points)); }
  mark(one) { return mark(one.value, this.game.points); }

  // The position

  showHead(answer) {
    const found = answer || this.found;
    const rate = found?.seconds > 0.05 ? `${number(found.simulations / found.seconds)}/s` : "";
    const budget = h("select", { "aria-label": "How long to look", onchange: () => { this.budget = Number(budget.value); memory.set("budget", this.budget); this.refresh(); } },
      BUDGETS.map(([seconds, text]) => h("option", { value: seconds, selected: seconds === this.budget }, text)));
    const most = h("select", { "aria-label": "Candidates on the board", onchange: () => { this.most = Number(most.value); memory.set("most", this.most); if (this.found) this.show(this.found, true); } },
      [1, 3, 5, 8, 12, 20].map((count) => h("option", { value: count, selected: count === this.most }, `top ${count}`)));
    this.head.replaceChildren(
      h("h2", {}, "Analysis"),
      h("div.tools", {}, budget, most,
        this.running ? button("pause", "Stop", () => this.running?.stop()) : button("play", "Look again", () => this.refresh(), { disabled: this.game.view.player < 0 }),
        served && this.game.view.player >= 0 && button("explore", "How does it think?", () => this.theatre(), { title: "The search theatre: this position, one simulation at a time" })),
      h("p.hint", {}, this.game.view.player < 0 ? (this.game.view.over ? "The game is over here." : "Chance moves here.") : found ? `${number(found.simulations)} ${found.simulations === 1 ? "look" : "looks"} ahead ${rate ? "· " + rate : ""} ${found.note ? "· " + found.note : ""}` : "Looking…"),
      this.balance(found));
  }

  /** To the search theatre with the position shown. */
  async theatre() {
    const { table, steps, at } = this.game;
    const { addressOf } = await import("./theatre/state.js"); // a published page has none
    const { options } = (await games()).games.find((one) => one.name === table.game.name) || { options: [] };
    const usual = Object.fromEntries(options.map((option) => [option.name, option.value]));
    location.hash = addressOf(table.game, this.game.where(), steps.slice(0, at).map((step) => step.text), usual);
  }

  /** Who is ahead, as a bar; points as a number. */
  balance(found) {
    if (!found) return "";
    const { players, points } = this.game.table.game;
    if (points || players !== 2) return h("p.balance", {}, found.value.map((value, i) => `${players > 1 ? `${sideOf(this.game.table.game, i)}: ` : "Expected: "}${this.worth(value)}${errorText(found.value_error, points)}`).join(" · "));
    const share = 50 * (found.value[0] + 1);
    const bar = h("div.versus", { role: "img", "aria-label": `${sideOf(this.game.table.game, 0)} wins with a chance of ${number(share)} percent`, title: errorText(found.value_error, false).trim() }, h("i"), h("span", {}, `${sideOf(this.game.table.game, 0)} ${number(share)} %`), h("span", {}, `${number(100 - share)} % ${sideOf(this.game.table.game, 1)}`));
    bar.firstChild.style.width = `${share}%`;
    return bar;
  }

  show(found, final) {
    if (found.player !== this.game.view.player) return;
    this.found = found;
    this.showHead(found);
    const shown = found.candidates;
    this.game.board.candidates(shown.slice(0, this.most).filter((one) => one.visits), (one) => this.mark(one));
    const most = Math.max(...shown.map((one) => one.visits), 1);
    const liked = Math.max(...shown.map((one) => one.prior ?? 0), 1e-9);
    const total = Math.max(found.visits, 1);
    const rows = shown.map((one, i) => {
      const visits = h("span.meter", { title: `${number(one.visits)} visits (${number(100 * one.visits / total, 1)} %), liked ${number(100 * (one.prior ?? 0), 1)} % before the search` }, h("i.visits"), h("i.prior"));
      visits.children[0].style.width = `${100 * one.visits / most}%`;
      visits.children[1].style.left = `${100 * (one.prior ?? 0) / liked}%`;
      const row = h("tr", { onpointerenter: () => this.point(null, one), onpointerleave: () => this.unpoint() },
        h("td.rank", {}, String(i + 1)),
        h("td", {}, h("button.move", { type: "button", onclick: () => this.game.play(one.move), onfocus: () => this.point(null, one), onblur: () => this.unpoint() }, one.move)),
        h("td.num", { title: errorText(one.value_error, this.game.points).trim() }, this.worth(one.value)),
        h(`td.num.loss.${shade(one.label)}`, {}, !i ? "best" : one.label === "unsure" ? "unsure" : lossText(one.loss, this.game.points) || "0", i && one.loss !== null ? this.off(one.error) : ""),
        h("td.num", {}, number(one.visits)),
        h("td.wide", {}, visits));
      return one.alike.length ? [row, h("tr.alike", {}, h("td.rank"), h("td", { colSpan: 5 }, `also ${one.alike.join(", ")}`))] : row;
    });
    const focus = document.activeElement?.closest?.(".candidates") ? document.activeElement.textContent : "";
    this.table.replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, ...[["rank", "#"], ["", "move"], ["num", "value"], ["num", "loss"], ["num", "visits"]].map(([kind, text]) => h(`th${kind ? "." + kind : ""}`, { scope: "col" }, text)), h("th.wide", { scope: "col" }, h("span", { title: "bar: visits; tick: how much it was liked before the search" }, "tick: prior")))),
      h("tbody", {}, rows.flat())));
    if (focus) [...this.table.querySelectorAll("button")].find((one) => one.textContent === focus)?.focus();
    if (!this.pointed) this.lineOf(shown[0]);
    if (final) announce(`Best: ${found.best}, ${this.worth(shown[0].value)}`);
  }

  lineOf(one) {
    this.lineText.replaceChildren(one?.does ? h("span.does", {}, `${one.move} ${one.does}`) : "", h("b", {}, "Best line "), ...(one?.line || []).map((step) => (step.chance === undefined ? h(`span.by${step.by}`, {}, step.text, " ") : h("i.chance", { title: `one of the likely draws, ${number(100 * step.chance, 1)} %` }, `(${step.text}?) `))));
  }

  point(cell, one) {
    if (!this.found) return;
    const found = one || rowOf(this.found.candidates, cell);
    if (cell !== null && !found) { if (this.pointed) this.unpoint(); return; }
    if (this.pointed === found.move) return;
    this.pointed = found.move;
    this.lineOf(found);
    if (one || found.line.length) this.game.board.line(found.line);
  }

  unpoint() {
    this.pointed = "";
    this.game.board.line([]);
    if (this.found) this.lineOf(this.found.candidates[0]);
  }

  // The game

  /** `further`: one that was made before is refined, and shown until a better one is there. */
  async judge(further = false) {
    if (!this.game.id || this.game.id === "study") return;
    if (!this.on) this.toggle();
    if (!further) this.stop();
    this.judging?.stop();
    const shown = h("p.hint", {}, "Judging…");
    const judging = this.game.look("report", { table: this.game.id, seconds: REFINE_SECONDS }, (report) => {
      if (this.judging !== judging) return;
      if (!this.game.shown) judging.stop(); // nobody looks any more; what was found is kept
      if (report.analysis) this.takeReport(report, further);
      else if (!report.preparing) shown.textContent = `Judging: ${report.done} of ${report.of} steps`;
    });
    judging.plies = this.game.table.ply;
    this.judging = judging;
    if (!further) {
      this.report = null;
      this.judged.replaceChildren(h("h2", {}, "Report"), shown, button("pause", "Stop", () => judging.stop()));
    }
    if (slim.matches && !further) this.judged.scrollIntoView(); // on a telephone it is far below the board
    try {
      const answer = await judging.answer;
      await released(this.judged);
      if (this.judging !== judging) return;
      this.judging = null;
      if (answer.gave_way && !answer.analysis && !further) toast("Others are waiting for the server: judge the game again a little later.");
      if (answer.analysis) this.takeReport(answer, further);
      this.showReport();
    } catch (error) { if (this.judging === judging) this.judging = null; toast(error.message, "bad"); this.showReport(); }
  }

  /** A whole report: the first, a better one, or one that was kept. */
  takeReport(told, further = false) {
    const first = !this.report;
    if (further && this.report && told.analysis.rounds < this.report.rounds) return; // begun anew, it is not as good yet
    this.report = { ...told.analysis, plies: this.game.table.ply, scores: told.scores };
    if (this.game.learning) return; // a lesson stays as it began
    if (first) { announce("The report is ready."); this.refresh(); }
    else if (this.read) this.better = true; // nothing moves under the pointer
    else this.showReport();
    this.game.showMoves();
  }

  /** The game with its report: the one that was made before, or a new one. */
  async examine() {
    if (!this.on) this.toggle();
    await this.recall();
    if (!this.report && !this.judging) this.judge();
  }

  /** The report that was made before, if the game is still what it was. */
  async recall() {
    const { game } = this;
    if (this.report || this.judging || !game.id || game.id === "study") return;
    const plies = game.table.ply;
    const { report } = await api.get(`/api/tables/${game.id}/report`).catch(() => ({}));
    if (report && !this.report && !this.judging && game.table.ply === plies) {
      this.takeReport(report);
      if (served && this.on) await this.judge(true);
    }
  }

  labels() { return labelsOf(this.report); }

  mistakes() {
    const yours = this.game.yours.length ? this.game.yours : [...this.game.table.seats.keys()];
    return mistakesOf(this.report, yours);
  }

  nextMistake() {
    if (!this.report) { toast("Judge the game first (J)."); return; }
    const next = mistakeAfter(this.report, this.game.at);
    if (!next) { toast("No mistake in this game."); return; }
    this.game.goTo(next.ply - 1);
    announce(`${this.game.nameOf(next.player)} played ${next.text}: ${next.label}. Best was ${next.best}.`);
  }

  /** What the judge says of the move before the position shown. */
  verdict() {
    const event = verdictAt(this.report, this.game.at);
    return event ? verdictText(event, this.report.unit === "points") : "";
  }

  showReport() {
    const { game, report } = this;
    if (!this.on || (this.judging && !report)) return;
    if (game.id === "study") return;
    this.better = false;
    if (!report) {
      this.judged.replaceChildren(h("h2", {}, "Report"), h("p.hint", {}, "Every move judged: losses, labels, luck against skill."),
        button("chart", "Judge the whole game", () => this.judge(), { title: "J", disabled: !game.steps.some((step) => step.by >= 0) }));
      return;
    }
    const unit = report.unit === "points" ? "points" : "chances of a win";
    const counts = countsOf(report);
    const seats = report.players.map((_, i) => game.nameOf(i));
    const mistakes = this.mistakes();
    this.judged.replaceChildren(
      h("h2", {}, "Report"),
      graph(report, game.at, (ply) => game.goTo(ply), report.players.map((_, i) => sideOf(game.table.game, i))),
      h("p.hint.verdict", {}, this.verdict()),
      h("div.tools", {}, button("on", "Next mistake", () => this.nextMistake(), { title: "X: anybody's, move by move; Learn asks for yours only" }),
        button("bulb", mistakes.length ? `Learn from ${mistakes.length === 1 ? "a mistake" : mistakes.length + " mistakes"}` : "No mistakes to learn from", () => new Learning(this, mistakes).next(), { disabled: !mistakes.length }),
        this.judging ? button("pause", "Enough", () => this.judging?.stop(), { title: "Stop refining the report" }) : button("play", "Judge again", () => this.judge())),
      h("table.counts", {}, h("caption", {}, "Moves by what they cost"), h("thead", {}, h("tr", {}, h("td"), seats.map((name) => h("th.num", { scope: "col" }, name)))),
        h("tbody", {}, LABELS.map((label, i) => h("tr", {}, h(`th.${shade(label)}`, { scope: "row" }, label), counts.map((row) => h("td.num", {}, row[i] || "·")))))),
      h("table.counts", {}, h("caption", {}, `What the result is made of, in ${unit}`), h("thead", {}, h("tr", {}, h("td"), seats.map((name) => h("th.num", { scope: "col" }, name)))),
        h("tbody", {}, [["expected at the start", "start", 1], ["luck", "luck", 1], ["own losses", "losses", -1], ["others' moves", "others", 1], ["second thoughts", "mind", 1], ["result", "result", 1]].map(([text, name, sign]) =>
          h("tr", {}, h("th", { scope: "row" }, text), report.accounts.map((account) => h("td.num", {}, accountText(sign * account[name], name, report.unit === "points"), errorText(account[`${name}_error`], report.unit === "points"))))))),
      h("p.hint", {}, `Judged by ${report.analyst}${this.judging ? "; being refined, the worst errors first" : ""}. After ± are standard errors. A loss counts where it is larger than its error; unsure: it may be nothing or much.`));
  }
}
