// What all parts of the page share: which games are open, and how to begin, leave and try things.

import { memory, slim } from "./dom.js";
import { gameAddress } from "./address.js";
import { api } from "./api.js";
import { seatsDialog } from "./home.js";
import { sitDown } from "./me.js";

export const MOST_OPEN = 12; // games that stay in the page's memory

export const shell = {
  views: new Map(),
  tabs: memory.get("tabs", []),
  current: null,
  changed() {},
  again() {},
  trial: null,

  async begin(wish) {
    const table = await api.post("/api/tables", { ...wish, narrow: slim.matches });
    this.named(table.id, table);
    sitDown(table.id, table);
    location.hash = gameAddress(table.id);
  },

  study(base, steps) {
    this.trial = { base, steps };
    if (location.hash === "#/study") this.again(); else location.hash = "#/study";
  },

  continueFrom(table, ply) { seatsDialog(this, table, ply); },

  /** A game has a name now, or another state. */
  named(id, table) {
    if (id === "study") return;
    const known = this.tabs.find((tab) => tab.id === id);
    const turn = table.view.player;
    const wait = table.status === "unfinished" && turn >= 0 && table.seats[turn].player === "human";
    const tab = { id, title: table.game.title, wait };
    if (known) Object.assign(known, tab);
    else this.tabs = [...this.tabs, tab].slice(-MOST_OPEN);
    memory.set("tabs", this.tabs);
    this.changed();
  },

  /** A game is not there any more. */
  gone() {},

  /** Leave a game; with `stay` whatever stands in its place is left there. */
  closed(id, stay = false) {
    this.views.get(id)?.leave();
    this.views.delete(id);
    this.tabs = this.tabs.filter((tab) => tab.id !== id);
    memory.set("tabs", this.tabs);
    this.changed();
    if (!stay && location.hash === gameAddress(id)) location.hash = "#/";
  },
};
