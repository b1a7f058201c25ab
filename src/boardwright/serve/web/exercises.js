// Exercises: mistakes of one's own games that come again, in growing intervals, until they are found at once.

import { announce, button, h } from "./dom.js";
import { gameAddress } from "./address.js";
import { rowOf, taken } from "./labels.js";
import { api } from "./api.js";
import { titleOf } from "./home.js";
import { person } from "./me.js";
import { StudyView } from "./study.js";

/** How many are due, and when the next comes. */
export const look = () => api.get(`/api/exercises?person=${person()}`);

/** The view of the exercise that has been due longest; without any, a page that says so. */
export async function exercises(shell) {
  const found = await look();
  if (found.due.length) return new ExerciseView(shell, found.due[0], found.due.length);
  const rest = found.later ? `${found.later} will come again, the next one ${inDays(found.next)}.` : "When a report of one of your games shows a serious mistake, it comes here: play, then choose Report at the end of the game.";
  return { element: h("section.home", {}, h("h1", { tabindex: "-1" }, "Exercises"), h("p", {}, found.later ? `All done for now. ${rest}` : `There are none yet. ${rest}`), h("p", {}, h("a.plain", { href: "#/library" }, "Library"))) };
}

function inDays(text) {
  const days = (new Date(text) - Date.now()) / 86400000;
  return days < 0.04 ? "in a few minutes" : days < 0.9 ? "within a day" : `in ${Math.round(days)} day${Math.round(days) === 1 ? "" : "s"}`;
}

class ExerciseView extends StudyView {
  constructor(shell, one, count) {
    super(shell, { table: one.id, ply: one.ply - 1, back: gameAddress(one.id) });
    this.one = one;
    this.count = count;
    this.lesson = h("div.lesson");
    this.side.insertBefore(this.lesson, this.inHand);
    this.notes.remove();
  }

  async open() {
    await super.open();
    this.learning = this;
    this.render();
    this.say(`In a game of yours you played ${this.one.played} here (${this.one.label}). Find something better.`);
  }

  subtitle() { return `Exercise: ${this.count} due, box ${this.one.box + 1}`; }
  save() {}
  remark() {}

  showActions() {
    this.actions.replaceChildren(button("library", "Open the game", () => { location.hash = gameAddress(this.one.id); }));
  }

  say(text, over = false) {
    announce(text);
    this.lesson.replaceChildren(h("h2", {}, titleOf(this.one.game)), h("p", {}, text),
      h("div.tools", {}, over ? button("on", this.count > 1 ? "Next" : "Finish", () => this.shell.again()) : button("bulb", "Show it", () => this.reveal())));
  }

  /** The first answer counts; later ones are for learning. One that a lost connection has swallowed is sent again: by `due` the
   *  server knows whether it has it. */
  note(right) {
    const { id, ply, due } = this.one;
    this.noted ||= api.surely("/api/exercises", { person: person(), id, ply, right, due }).then((told) => { this.comesBack = inDays(told.due); });
    return this.noted;
  }

  async reveal() {
    try { await this.note(false); } catch (error) { this.say(error.message); return; }
    this.learning = null;
    this.board.candidates([{ move: this.one.best, visits: 1, label: "best", value: null }], () => "1");
    this.say(`Best was ${this.one.best}: ${this.one.line.join(" ")}. It comes again ${this.comesBack}.`, true);
  }

  async tried(move) {
    try { await this.judge(move); } catch (error) { this.say(error.message); }
  }

  async judge(move) {
    const { best, played } = this.one;
    let how = move === best ? "best" : "played", same = "";
    if (move !== best && move !== played) { // the search may not be sure: then the answer counts neither way
      this.say(`Looking at ${move}…`);
      const answer = await this.look("analyse", { ...this.where(), seconds: 2, most: 40 }).answer;
      how = taken(rowOf(answer.candidates, move), best, played);
      same = { best: `, the same as ${best},`, played: `, the same as ${played},` }[how] || "";
    }
    if (how === "unsure") { this.say(`The search is not sure about ${move}. Try another.`); return; }
    const right = how === "best" || how === "good";
    await this.note(right);
    if (!right) { this.say(`${move}${same} is ${how === "played" ? "what you played" : "not good enough"}. Try another.`); return; }
    this.learning = null;
    this.say(`${move}${same} is ${how === "best" ? "best" : "good, too"}. It comes again ${this.comesBack}.`, true);
  }
}
