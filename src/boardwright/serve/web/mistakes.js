// Learn from mistakes: each position again, until something better is found.

import { announce, button, h } from "./dom.js";
import { lossText } from "./format.js";
import { rowOf, taken } from "./labels.js";

export class Learning {
  constructor(analysis, mistakes) {
    this.analysis = analysis;
    this.game = analysis.game;
    this.left = mistakes.slice();
    this.count = mistakes.length;
  }

  async next() {
    this.event = this.left.shift();
    if (!this.event) { this.end("All done."); return; }
    this.game.learning = null;
    await this.game.goTo(this.event.ply - 1);
    this.game.learning = this;
    this.analysis.refresh();
    this.game.board.show(this.game.view, this.game.how());
    this.say(`You played ${this.event.text} (${this.event.label}). Find something better.`);
  }

  say(text, done = false) {
    announce(text);
    this.analysis.lesson.replaceChildren(
      h("h2", {}, `Mistake ${this.count - this.left.length} of ${this.count}`), h("p", {}, text),
      h("div.tools", {}, done ? "" : button("bulb", "Show it", () => this.reveal()), button("on", this.left.length ? "Next" : "Finish", () => this.next()), button("close", "Stop", () => this.end())));
  }

  reveal() {
    this.game.board.candidates([{ move: this.event.best, visits: 1, label: "best", value: null }], () => "1");
    this.say(`Best was ${this.event.best}: ${this.event.line.join(" ")}`, true);
  }

  async tried(move) {
    const { event, game } = this;
    if (move === event.best) { this.say(`${move} is best. Well found.`, true); return; }
    if (move === event.text) { this.say(`${move} is what you played. Try another.`); return; }
    this.say(`Looking at ${move}…`);
    try {
      const answer = await game.look("analyse", { ...game.where(), seconds: 2, most: 40 }).answer;
      if (this.event !== event || game.learning !== this) return; // somebody has gone on to another one
      const found = rowOf(answer.candidates, move), how = taken(found, event.best, event.text);
      if (how === "best") this.say(`${move} is the same as ${event.best}, the best move. Well found.`, true);
      else if (how === "played") this.say(`${move} is the same as ${event.text}, which you played. Try another.`);
      else if (how === "good") this.say(`${move} is good, too.`, true);
      else if (how === "unsure") this.say(`The search is not sure about ${move}. Try another.`);
      else this.say(found?.loss ? `${move} costs ${lossText(found.loss, game.points).slice(1)}${game.points ? " points" : " %"}. Try another.` : `${move} was hardly worth a look to the search. Try another.`);
    } catch (error) { this.say(error.message); }
  }

  end(text = "") {
    this.game.learning = null;
    this.analysis.lesson.replaceChildren(text ? h("p", {}, text) : "");
    this.game.board.show(this.game.view, this.game.how());
    this.analysis.refresh();
    if (text) announce(text);
  }
}
