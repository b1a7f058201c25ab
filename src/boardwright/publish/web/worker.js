// Answers what the page would ask a server: the routes of docs/api.md that make sense without one, and the searches.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

import { Game, readSite } from "./games.js";
import { Keep } from "./keep.js";
import { choose } from "./players.js";
import { HUMAN, Refused, Table } from "./tables.js";
import { describe } from "./describe.js";
import { Search } from "./search.js";

const NOT_HERE = "a published page cannot do this; it needs a running Boardwright";
const REPORT = 100; // milliseconds between two reports of a search
const MOST_LISTED = 200;

const site = readSite();
const keep = new Keep();
const open = new Map(); // name -> promise of a game
const tables = new Map(); // id -> table in memory
const queries = new Map(); // id -> {stopped}
let turn = Promise.resolve(); // searches take turns: a module has one memory

/** One change of a game at a time, in all tabs of this site where the browser can see to that. */
let gate = Promise.resolve();
function exclusively(work) {
  if (navigator.locks) return navigator.locks.request("boardwright", work);
  const mine = gate.then(work);
  gate = mine.catch(() => {});
  return mine;
}

async function factsOf(name) {
  const found = (await site).games.find((one) => one.name === name);
  if (!found) throw new Refused(`no game "${String(name).slice(0, 40)}" on this site`, 404);
  return found;
}

async function gameOf(name) {
  const facts = await factsOf(name);
  if (!open.has(name)) open.set(name, Game.open(facts));
  try { return await open.get(name); } catch (error) { open.delete(name); throw error; }
}

/** A game in progress, as it was last left in any tab. */
async function tableOf(id) {
  const record = await keep.get(id), known = tables.get(id);
  if (!record) throw new Refused("there is no such game in this browser", 404);
  if (known && known.version === record.version) return known;
  const game = await gameOf(record.game);
  if (record.digest !== game.told.digest) throw new Refused("this game was played by other rules than this site has now", 409);
  const table = Table.of(record, game);
  tables.set(id, table);
  return table;
}

async function changed(table) {
  tables.set(table.id, table);
  await keep.put(table.record);
}

const strengthOf = (game, seat) => game.facts.strengths.find((one) => one.player === seat || one.name === seat);

function seatsOf(game, wished) {
  const seats = wished || Array(game.facts.players).fill(HUMAN);
  if (seats.length !== game.facts.players) throw new Refused(`${game.facts.title} has ${game.facts.players} seats`);
  return seats.map((seat) => {
    if (seat === HUMAN) return HUMAN;
    const found = strengthOf(game, seat);
    if (!found) throw new Refused(`no player "${String(seat).slice(0, 60)}" here; there are ${game.facts.strengths.map((one) => one.name).join(", ")}`);
    return found.player;
  });
}

async function tell(table, narrow, since = 0) {
  const { game } = table;
  const nameOf = (seat) => (seat === HUMAN ? (game.facts.players === 1 ? "You" : "Human") : strengthOf(game, seat)?.name || seat);
  return {
    id: table.id, game: game.about, seats: table.seats.map((player) => ({ player, name: nameOf(player) })), seed: table.seed, status: table.status,
    note: table.note, assisted: table.note.includes("assisted"), started: table.started,
    playable: !table.isOver && table.seats.every((seat) => seat === HUMAN || strengthOf(game, seat)), ply: table.plies.length, since,
    steps: table.plies.slice(since).map(({ text, by }) => ({ text, by })), results: table.results, view: await table.position.view(narrow),
  };
}

/** Which position is meant: {table, ply} and what was tried from there. */
async function find({ table: id, ply, steps = [] }, hint = false) {
  if (!id) throw new Refused(`a position from elsewhere cannot be opened: ${NOT_HERE}`);
  const table = await tableOf(id);
  if (hint && !table.isOver && ply === table.plies.length) await exclusively(() => { table.mark("hint"); return changed(table); });
  let position = table.at(ply);
  for (const step of steps) position = position.after(await position.parse(step));
  return position;
}

// Requests

const routes = [
  ["GET", /^games$/, async () => { const { games, version, first } = await site; return { version, first, seed: null, games }; }],
  ["POST", /^games\/([^/]+)$/, async ([name]) => factsOf(name)],
  ["GET", /^tables$/, async (_, { status, game, limit }) => {
    const names = (await site).games.map((one) => one.name);
    const kept = (await keep.all()).filter((one) => (!status || one.status === status) && (!game || one.game === game));
    kept.sort((a, b) => (a.started < b.started ? 1 : -1));
    return { tables: kept.slice(0, Math.min(Number(limit) || 50, MOST_LISTED)).map((one) => ({
      id: one.id, game: one.game, players: one.seats, started: one.started, status: one.status, plies: one.plies.length, scores: one.scores, results: one.results, here: names.includes(one.game),
    })) };
  }],
  ["POST", /^tables$/, async (_, body) => {
    let table;
    if (body.from) {
      const source = await tableOf(body.from);
      table = await source.branch(body.ply, seatsOf(source.game, body.seats));
    } else {
      const game = await gameOf(body.game);
      table = await Table.begin(game, seatsOf(game, body.seats), body.seed ?? Math.floor(Math.random() * 2 ** 31));
    }
    await changed(table);
    return tell(table, body.narrow);
  }],
  ["GET", /^tables\/(\w+)$/, async ([id], { narrow }) => tell(await tableOf(id), narrow)],
  ["DELETE", /^tables\/(\w+)$/, async ([id]) => { tables.delete(id); await keep.drop(id); return { deleted: id }; }],
  ["GET", /^tables\/(\w+)\/plies\/(\d+)$/, async ([id, ply], { narrow }) => ({ ply: Number(ply), view: await (await tableOf(id)).at(Number(ply)).view(narrow) })],
  ["POST", /^tables\/(\w+)\/moves$/, async ([id], { move, ply, narrow }) => {
    const table = await tableOf(id);
    table.expect(ply);
    const { player } = table.position;
    if (table.seats[player] !== HUMAN) throw new Refused(`it is the turn of player ${player + 1}, ${table.seats[player]}`, 409);
    const step = await table.position.parse(move);
    table.expect(ply); // while its text was looked up the game may have gone on
    await table.play(step);
    await changed(table);
    return tell(table, narrow, ply);
  }],
  ["POST", /^tables\/(\w+)\/takeback$/, async ([id], { ply, narrow }) => {
    const table = await tableOf(id);
    table.expectPly(ply);
    table.takeBack();
    await changed(table);
    return tell(table, narrow);
  }],
  ["POST", /^tables\/(\w+)\/resign$/, async ([id], { ply, narrow }) => {
    const table = await tableOf(id);
    table.expect(ply);
    table.resign();
    await changed(table);
    return tell(table, narrow, ply);
  }],
  ["POST", /^look$/, async (_, body) => {
    const position = await find(body);
    return { game: position.game.about, position: position.json(), view: await position.view(body.narrow) };
  }],
];

function readQuery(text) {
  const read = Object.fromEntries(new URLSearchParams(text));
  return { ...read, narrow: read.narrow === "1" || read.narrow === "true" };
}

async function answer({ method, path, body }) {
  const [place, query = ""] = path.replace(/^\/api\//, "").split("?");
  for (const [wanted, pattern, work] of routes) {
    const found = method === wanted && decodeURIComponent(place).match(pattern);
    if (found) return work(found.slice(1), method === "GET" ? readQuery(query) : body);
  }
  throw new Refused(NOT_HERE, 404);
}

// Searches, by the messages of docs/api.md

const actions = {
  async move({ table: id, ply, narrow }, query, report) {
    const table = await tableOf(id);
    table.expect(ply);
    const seat = table.seats[table.position.player], strength = strengthOf(table.game, seat);
    if (!strength) throw new Refused(`player ${table.position.player + 1} does not think by itself here`, 409);
    const chosen = await choose(table, ply, table.game.told.players[strength.name], () => query.stopped, report);
    if (!chosen || query.stopped) return { stopped: true };
    const move = await table.position.text(chosen.move);
    const thought = chosen.search ? await describe(table.at(ply), chosen.search, chosen.choice, 3) : {};
    return exclusively(async () => {
      const now = await tableOf(id); // it may have gone on in another tab
      if (query.stopped) return { stopped: true };
      now.expect(ply);
      await now.play(chosen.move);
      await changed(now);
      return { move, thought, table: await tell(now, narrow, ply) };
    });
  },

  async analyse(fields, query, report) {
    const position = await find(fields, true);
    if (position.player < 0) throw new Refused(position.isOver ? "the game is over" : "chance moves here: choose what it does");
    const most = fields.most || 12;
    const search = new Search(position.game.program, { ...position.game.told.analysis, simulations: fields.simulations || 0, seconds: fields.seconds || 5 });
    const stop = await search.grow(position, () => query.stopped, (now) => {
      if (search.children(0).length) report(() => describe(position, search, search.choice(position, now), most));
    });
    return { ...await describe(position, search, search.choice(position, stop), most), stopped: stop.cancelled };
  },
};

function ask(message) {
  const { id, action, ...fields } = message;
  const say = (said, final) => postMessage({ socket: { id, ...said, final } });
  if (action === "terminate") {
    const query = queries.get(fields.of);
    if (query) query.stopped = true;
    say({ of: fields.of, terminated: Boolean(query) }, true);
    return;
  }
  const query = { stopped: false };
  queries.set(id, query);
  let reported = 0;
  const report = (what) => {
    if (performance.now() - reported < REPORT) return;
    reported = performance.now();
    if (typeof what !== "function") say(what, false);
    else what().then((said) => { if (queries.has(id)) say(said, false); }, () => {});
  };
  turn = turn.then(async () => {
    try {
      if (!actions[action]) throw new Refused(NOT_HERE, 404);
      say(query.stopped ? { stopped: true } : await actions[action](fields, query, report), true);
    } catch (error) { say({ error: error.message, status: error.status || 500 }, true); } finally { queries.delete(id); }
  });
}

onmessage = async ({ data }) => {
  if (data.socket) { ask(data.socket); return; }
  try {
    postMessage({ request: data.request, status: 200, answer: await exclusively(() => answer(data)) });
  } catch (error) {
    postMessage({ request: data.request, status: error.status || 400, answer: { error: error.message } });
  }
};
