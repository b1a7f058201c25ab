// Games that are watched in this tab, as serve/attend.py: whoever watches one hears of every change, and the seats of players
// are played here. A game among players only goes on as long as somebody watches, at a pace that can be followed, unless it
// is held. Tabs of one site tell each other what changed; of those that watch a game, one at a time thinks about it.

import { canGoOn, choose, strengthOf } from "./players.js";
import { HUMAN, Refused } from "./tables.js";
import { thinkingAlone } from "./turns.js";

const PACE = 350; // milliseconds between moves of a game that only players play, where its card says nothing

export class Attendant {
  /** `house`: tableOf(id); exclusively(work), one change at a time; changed(table) keeps it; inTurn(work), one search at a
   *  time; say(query, message, final); spaced(report), not too many reports. */
  constructor(house) {
    this.house = house;
    this.games = new Map(); // id of a table -> how it stands
    this.watches = new Map(); // id of a query -> the table that it watches, "" for the lists of games
    this.changes = 0;
    this.tabs = globalThis.BroadcastChannel ? new BroadcastChannel("boardwright") : null;
    if (this.tabs) this.tabs.onmessage = ({ data }) => this.#hear(data);
  }

  // Watching

  /** From now on the query hears of every change of the game, of the present state first; without a game, that any changed. */
  async watch(query, id = "", seat = -1) {
    this.watches.set(query, id);
    if (!id) { this.house.say(query, { changes: this.changes }, false); return; }
    try {
      const table = await this.#read(id);
      if (!this.watches.has(query)) return; // it was terminated meanwhile
      const game = this.#gameOf(id);
      if (!game.watchers.size) game.began = performance.now(); // other tabs have a pace's time to say that it is held
      game.watchers.set(query, seat);
      game.problem = "";
      this.#send({ id, what: "opened" });
      this.#goOn(game, table);
      this.#tell(game);
    } catch (error) {
      this.watches.delete(query);
      this.house.say(query, { error: error.message, status: error.status || 500 }, true);
    }
  }

  /** Hear no more; whether it was a watch. */
  leave(query) {
    const id = this.watches.get(query), game = this.games.get(id);
    if (!this.watches.delete(query)) return false;
    this.house.say(query, { stopped: true }, true);
    if (!game?.watchers.delete(query)) return true;
    if (!game.watchers.size && !game.people) this.#stop(game);
    this.#tell(game);
    return true;
  }

  /** Hold a game among players, or let it go on, and how fast. */
  async pace(id, held = false, speed = 1) {
    const game = this.games.get(id);
    if (!game) throw new Refused("watch the game first", 409);
    if (!(speed >= 0.1 && speed <= 100)) throw new Refused("speed is a number from 0.1 to 100");
    await this.#setPace(id, game, Boolean(held), speed);
    this.#send({ id, what: "pace", held: game.held, speed });
  }

  async #setPace(id, game, held, speed) {
    Object.assign(game, { held, speed });
    if (!game.people) {
      clearTimeout(game.timer);
      game.timer = 0;
      if (held) this.#stop(game);
    }
    this.#goOn(game, await this.#read(id));
    this.#tell(game);
  }

  // What has changed: here, or in another tab

  changed(table) {
    this.#send({ id: table.id, what: "changed" });
    this.#tellLists();
    const game = this.games.get(table.id);
    if (game) this.#renew(game, table);
  }

  dropped(id) {
    this.#send({ id, what: "dropped" });
    this.#forget(id);
  }

  #renew(game, table) {
    game.problem = "";
    this.#goOn(game, table);
    this.#tell(game);
  }

  #forget(id) {
    this.#tellLists();
    const game = this.games.get(id);
    if (!game) return;
    this.games.delete(id);
    this.#stop(game);
    for (const query of game.watchers.keys()) {
      this.watches.delete(query);
      this.house.say(query, { error: "this game was deleted", status: 404 }, true);
    }
  }

  #send(message) { this.tabs?.postMessage(message); }

  async #hear({ id, what, held, speed }) {
    if (what === "dropped") { this.#forget(id); return; }
    if (what === "changed") this.#tellLists();
    const game = this.games.get(id);
    if (!game?.watchers.size) return;
    try {
      if (what === "changed") this.#renew(game, await this.#read(id));
      else if (what === "pace") await this.#setPace(id, game, held, speed);
      else if (game.held || game.speed !== 1) this.#send({ id, what: "pace", held: game.held, speed: game.speed });
    } catch { /* it was deleted meanwhile, and that is told, too */ }
  }

  // Playing

  /** Begin, or end, what a player thinks. */
  #goOn(game, table) {
    const { era, version, status } = table, ply = table.plies.length, { player } = table.position;
    game.people = table.seats.includes(HUMAN);
    game.state = { ply, era, version, status };
    if (game.at.era !== era || game.at.ply !== ply || table.isOver) this.#stop(game);
    if (game.job || game.timer || game.problem || player < 0 || table.seats[player] === HUMAN || !canGoOn(table)) return;
    if (!game.people) {
      if (game.held || !game.watchers.size) return;
      const rest = game.began + (table.game.about.pace || PACE) / game.speed - performance.now();
      if (rest > 0) { game.timer = setTimeout(() => this.#again(table.id, game), rest); return; }
    }
    Object.assign(game, { at: { era, ply }, began: performance.now(), thinking: {}, job: new AbortController() });
    this.#think(table.id, game, game.job);
  }

  async #again(id, game) {
    game.timer = 0;
    try {
      this.#goOn(game, await this.#read(id));
      this.#tell(game);
    } catch { /* it was deleted meanwhile */ }
  }

  async #think(id, game, job) {
    const { at } = game, { signal } = job;
    const work = () => this.house.inTurn(() => this.#play(id, at, signal, this.house.spaced((report) => {
      if (game.job !== job) return; // of a thought that nobody waits for
      game.thinking = report;
      this.#tell(game);
    })));
    let problem = "", goneOn = false;
    try {
      await thinkingAlone(id, signal, work);
    } catch (error) {
      goneOn = error.status === 409; // in another tab
      if (!goneOn) problem = error.message;
    }
    if (game.job !== job) return;
    Object.assign(game, { job: null, thinking: null, problem });
    if (goneOn) await this.#again(id, game); else this.#tell(game);
  }

  /** Let the player whose turn it is think and move. */
  async #play(id, { era, ply }, signal, report) {
    const { exclusively, tableOf, changed } = this.house;
    const here = async () => {
      const table = await tableOf(id);
      if (table.era !== era) throw new Refused("a move was taken back", 409);
      table.expect(ply);
      return table;
    };
    if (signal.aborted) return;
    const table = await exclusively(here), { game, seats } = table;
    const { name } = strengthOf(game, seats[table.position.player]);
    const chosen = await choose(table, ply, game.told.players[name], () => signal.aborted, report);
    if (!chosen) return;
    await exclusively(async () => {
      if (signal.aborted) return;
      const now = await here(); // it may have gone on in another tab
      await now.play(chosen.move);
      await changed(now);
    });
  }

  #stop(game) {
    clearTimeout(game.timer);
    game.job?.abort();
    Object.assign(game, { job: null, thinking: null, timer: 0 });
  }

  // Telling

  #read(id) { return this.house.exclusively(() => this.house.tableOf(id)); }

  #gameOf(id) {
    if (!this.games.has(id)) {
      this.games.set(id, {
        watchers: new Map(), // id of a query -> the seat that it plays, or -1
        state: {}, people: true, // of the table, as it was told last
        at: {}, job: null, thinking: null, problem: "", // which position a player thinks about, and its last report
        held: false, speed: 1, began: 0, timer: 0, // the pace; when the last thought began
      });
    }
    return this.games.get(id);
  }

  #tell({ watchers, state, thinking, problem, held, speed }) {
    const taken = [...new Set(watchers.values())].filter((seat) => seat >= 0).sort((a, b) => a - b);
    const news = { ...state, thinking, problem, held, speed, watchers: watchers.size, taken, preparing: null };
    for (const query of watchers.keys()) this.house.say(query, news, false);
  }

  #tellLists() {
    this.changes += 1;
    for (const [query, id] of this.watches) if (!id) this.house.say(query, { changes: this.changes }, false);
  }
}
