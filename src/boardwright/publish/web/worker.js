// Answers what the page would ask a server: the routes of docs/api.md that make sense without one, and the searches.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

import { Attendant } from "./attend.js";
import { Game, readRules, readSite } from "./games.js";
import { Keep } from "./keep.js";
import { canGoOn, strengthOf } from "./players.js";
import { HUMAN, Refused, Table } from "./tables.js";
import { exclusively, oneByOne } from "./turns.js";
import { branchOf } from "./branch.js";
import { describe } from "./describe.js";
import { linkOf, tableOfLink } from "./game_link.js";
import { reportOn } from "./report.js";
import { Search } from "./search.js";

const NOT_HERE = "a published page cannot do this; it needs a running Boardwright";
const REPORT = 100; // milliseconds between two reports of a search
const MOST_LISTED = 200;

const site = readSite();
const keep = new Keep();
const open = new Map(); // name -> promise of a game
const tables = new Map(); // id -> table in memory
const queries = new Map(); // id of an analysis -> {stopped}; of a report that gives way -> {stopped, interrupted, ended, end}
const MOST_BRANCHES = 20; // children of a node that are told
let grown = {}; // the last analysis: its id, search and position, while its tree lies in the memory

/** Searches take turns: a module has one memory. */
const inTurn = oneByOne();

/** `report`, but not more often than a page can use. */
function spaced(report) {
  let last = -REPORT;
  return (what) => {
    if (performance.now() - last < REPORT) return;
    last = performance.now();
    report(what);
  };
}

const say = (id, said, final) => postMessage({ socket: { id, ...said, final } });

const attendant = new Attendant({
  tableOf, exclusively, changed, spaced, say,
  inTurn(work) { // a move is not kept waiting: an analysis ends with what it has found
    for (const query of queries.values()) query[query.ended ? "interrupted" : "stopped"] = true;
    return inTurn(work);
  },
});

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
  table.unkept = await keep.put(table.record);
  attendant.changed(table);
}

/** Under which name a game's report is kept. */
const reportOf = (id) => `report ${id}`;

/** The report that was made of a game, if that is still what it was. */
async function keptReport(table) {
  const kept = await keep.get(reportOf(table.id));
  return kept && kept.era === table.era && kept.ply === table.plies.length ? kept.told : null;
}

/** The table that a link tells: one that is here already, or a new one. */
async function opened(game, code) {
  const told = await tableOfLink(code, game), same = (one) => one.step;
  const key = (one) => JSON.stringify([one.game, one.digest, one.seed, one.seats, one.resigned, one.plies.map(same)]);
  const wanted = key(told.record), known = (await keep.all()).find((one) => one.game === game.name && key(one) === wanted);
  if (known) return known.id;
  await changed(told);
  return told.id;
}

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
  const rival = /race against (\w+) by ([^;]+)/.exec(table.note);
  const nameOf = (seat) => (seat === HUMAN ? (game.facts.players === 1 ? "You" : "Human") : strengthOf(game, seat)?.name || seat);
  return {
    id: table.id, game: game.about, seats: table.seats.map((player) => ({ player, name: nameOf(player) })), seed: table.seed, status: table.status,
    era: table.era, version: table.version, note: table.note, assisted: table.note.includes("assisted"), race: rival && { id: rival[1], player: rival[2], name: nameOf(rival[2]) }, started: table.started,
    unkept: table.unkept || "", playable: canGoOn(table), ply: table.plies.length, since,
    steps: table.plies.slice(since).map(({ text, by }) => ({ text, by })), results: table.results, view: await table.position.view(narrow),
  };
}

/** Which position is meant: {table, ply} and what was tried from there. */
async function find({ table: id, ply, steps = [] }, hint = false) {
  if (!id) throw new Refused(`a position from elsewhere cannot be opened: ${NOT_HERE}`);
  if (hint) await exclusively(async () => {
    const now = await tableOf(id);
    if (ply === now.plies.length && now.mark("hint")) await changed(now);
  });
  const table = await tableOf(id);
  let position = table.at(ply);
  for (const step of steps) position = position.after(await position.parse(step));
  return position;
}

// Requests

const routes = [
  ["GET", /^games$/, async () => { const { games, version, first } = await site; return { version, first, seed: null, games }; }],
  ["POST", /^games\/([^/]+)$/, async ([name]) => factsOf(name)],
  ["GET", /^games\/([^/]+)\/rules$/, async ([name]) => readRules((await factsOf(name)).name)],
  ["GET", /^tables$/, async (_, { status, game, limit }) => {
    const { changes } = attendant, names = (await site).games.map((one) => one.name);
    const kept = (await keep.all()).filter((one) => (!status || one.status === status) && (!game || one.game === game));
    kept.sort((a, b) => (a.started < b.started ? 1 : -1));
    return { tables: kept.slice(0, Math.min(Number(limit) || 50, MOST_LISTED)).map((one) => ({
      id: one.id, game: one.game, players: one.seats, started: one.started, status: one.status, plies: one.plies.length, scores: one.scores, results: one.results, here: names.includes(one.game),
    })), changes };
  }],
  ["POST", /^tables$/, async (_, body) => {
    let table;
    if (body.from) {
      const source = await tableOf(body.from);
      table = await source.branch(body.ply, seatsOf(source.game, body.seats));
    } else {
      const game = await gameOf(body.game), seed = body.seed ?? Math.floor(Math.random() * 2 ** 31);
      const other = body.rival ? await Table.begin(game, seatsOf(game, [body.rival]), seed) : null; // a race on the same draws
      if (other) await changed(other);
      table = await Table.begin(game, other ? [HUMAN] : seatsOf(game, body.seats), seed);
      if (other) table.note = `race against ${other.id} by ${other.seats[0]}`;
    }
    await changed(table);
    return tell(table, body.narrow);
  }],
  ["GET", /^tables\/(\w+)$/, async ([id], { narrow, since, era }) => {
    const table = await tableOf(id);
    return tell(table, narrow, era && era === table.era ? Math.min(Number(since) || 0, table.plies.length) : 0);
  }],
  ["DELETE", /^tables\/(\w+)$/, async ([id]) => { tables.delete(id); await keep.drop(id); await keep.drop(reportOf(id)); attendant.dropped(id); return { deleted: id }; }],
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
  ["GET", /^tables\/(\w+)\/report$/, async ([id]) => ({ report: await keptReport(await tableOf(id)) })],
  ["GET", /^tables\/(\w+)\/link$/, async ([id]) => { const table = await tableOf(id); return { game: table.game.name, code: linkOf(table) }; }],
  ["POST", /^links$/, async (_, { game, code }) => ({ table: await opened(await gameOf(game), String(code)) })],
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

// Searches and news, by the messages of docs/api.md

async function analyse(fields, query, report) {
  const position = await find(fields, true);
  if (position.player < 0) throw new Refused(position.isOver ? "the game is over" : "chance moves here: choose what it does");
  const most = fields.most || 12;
  const search = new Search(position.game.program, { ...position.game.told.analysis, simulations: fields.simulations || 0, seconds: fields.seconds || 5 });
  const stop = await search.grow(position, () => query.stopped, (now) => {
    if (search.children(0).length) report(() => describe(position, search, search.choice(position, now), most));
  });
  grown = { id: fields.id, search, position };
  return { ...await describe(position, search, search.choice(position, stop), most), stopped: stop.cancelled };
}

const actions = {
  ping: () => ({}),

  async pace(_, { table, held, speed }) { await attendant.pace(table, held, speed); return {}; },

  terminate(_, { of }) {
    const query = queries.get(of);
    if (query) { query.stopped = true; query.end?.(); }
    return { of, terminated: attendant.leave(of) || Boolean(query) };
  },

  async analyse(id, fields) {
    const query = { stopped: false };
    queries.set(id, query);
    const report = spaced((make) => make().then((said) => { if (queries.has(id)) say(id, said, false); }, () => {}));
    try {
      return await inTurn(() => (query.stopped ? { stopped: true } : analyse({ ...fields, id }, query, report)));
    } finally { queries.delete(id); }
  },

  async tree(_, { of, path }) {
    if (grown.id !== of) throw new Refused("this tree is no more: look again", 404);
    return branchOf(grown.search, grown.position, path, MOST_BRANCHES);
  },

  async report(id, { table: of, seconds = 0 }) {
    const table = await exclusively(() => tableOf(of)), { era } = table, ply = table.plies.length;
    const query = { stopped: false, interrupted: false };
    query.ended = new Promise((resolve) => { query.end = resolve; });
    queries.set(id, query);
    const soon = spaced((make) => say(id, make(), false));
    try {
      return await reportOn(table, seconds, {
        query,
        searching: (work) => inTurn(() => { query.interrupted = false; return work(); }),
        say: (make, now) => { if (query.stopped) return; if (now) say(id, make(), false); else soon(make); },
        keep: async (told) => { if (await keep.get(of)) await keep.put({ id: reportOf(of), era, ply, told }); },
      });
    } finally { query.stopped = true; queries.delete(id); }
  },
};

async function ask({ id, action, ...fields }) {
  if (action === "watch") { await attendant.watch(id, fields.table, fields.seat); return; } // has no end of its own
  try {
    if (!actions[action]) throw new Refused(NOT_HERE, 404);
    say(id, await actions[action](id, fields), true);
  } catch (error) { say(id, { error: error.message, status: error.status || 500 }, true); }
}

onmessage = async ({ data }) => {
  if (data.socket) { ask(data.socket); return; }
  try {
    postMessage({ request: data.request, status: 200, answer: await exclusively(() => answer(data)) });
  } catch (error) {
    postMessage({ request: data.request, status: error.status || 400, answer: { error: error.message } });
  }
};
