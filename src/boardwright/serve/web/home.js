// The front page, and the dialog that begins a game.

import { dialog, h, icon, memory, released, served, toast } from "./dom.js";
import { number, when } from "./format.js";
import { gameAddress, rulesAddress } from "./address.js";
import { api } from "./api.js";
import { person, seated } from "./me.js";
import { ask } from "./socket.js";
import { sideOf } from "./names.js";

let known = null;

/** The games that the server has. */
export async function games() {
  known ||= await api.get("/api/games");
  return known;
}

/** Ask again for them: a file was changed. */
export function forgetGames() { known = null; }

export function picture(name) {
  const game = known?.games.find((one) => one.name === name), plain = "web/icons/own.svg";
  const src = game?.icon ? `web/icons/${game.icon}.svg` : game?.own && served ? `api/games/${encodeURIComponent(name)}/icon.svg` : plain;
  return h("img", { src, alt: "", width: 96, height: 96, onerror: (event) => { if (!event.target.src.endsWith(plain)) event.target.src = plain; } }); // a stranger's picture may be none
}

export function titleOf(name) { return known?.games.find((game) => game.name === name)?.title || name; }

/** A list of games: {tables, changes}, the second a count by which `following` knows whether it is still true. */
export async function listOf(query) {
  await seated(); // whose a game is that was begun on the way here
  return api.get(`/api/tables?${query}`);
}

/** Those that wait for somebody, as this browser's person is told of them. */
const waiting = () => listOf(`status=unfinished&limit=12${served ? `&person=${person()}` : ""}`);

/** A game to name in an example of a command: one that comes along, as a file's path is no matter of the page's. */
export function exampleGame() {
  const named = known?.games.filter((game) => !game.own).map((game) => game.name) ?? [];
  return named.includes(known?.first) ? known.first : named[0] || "GAME";
}

export async function homeView(shell) {
  const [{ games: all, version }, { tables, changes }] = await Promise.all([games(), waiting()]);
  const cards = all.map((game) => h("button.gamecard", { type: "button", onclick: () => setup(shell, game.name) },
    picture(game.name), h("span", {}, h("strong", {}, game.title), h("small", {}, game.about.replace(/^[^:]{2,20}: (.)/, (_, c) => c.toUpperCase())))));
  const unfinished = h("div.unfinished");
  function list(found) {
    const open = found.filter((one) => one.here);
    unfinished.replaceChildren(...(open.length ? [h("h2", {}, "Go on with"), h("ul.rows", {}, open.map((one) => tableRow(shell, one)))] : []));
  }
  list(tables);
  const element = h("section.home", {},
    h("h1", { tabindex: "-1" }, "What shall we play?"),
    h("div.cards", {}, cards),
    unfinished,
    served && h("p.hint", {}, "How does the computer think? See it, one step at a time, in the ", h("a", { href: `#/theatre/${encodeURIComponent(known.plainest)}` }, "search theatre"), "."),
    h("p.hint.foot", {}, `Boardwright ${version}. Everything stays on this machine. Press `, h("kbd", {}, "?"), " for keys."));
  return { element, ...following(changes, async () => {
    const found = await waiting();
    await released(unfinished);
    list(found.tables);
    return found.changes;
  }) };
}

/** Look again whenever a game was begun, changed or deleted anywhere: what a view of games needs to stay true. `seen`: the
 *  changes that it knows of, which `look` answers with, too: one that came before the server heard of us is none of them. */
export function following(seen, look) {
  let timer = 0;
  const again = async () => {
    timer = 0;
    try { seen = await look(); } catch (error) { toast(error.message, "bad"); }
  };
  const news = ask("watch", {}, ({ changes }) => { if (changes !== seen && !timer) timer = setTimeout(again, 250); });
  news.answer.catch((error) => toast(error.message, "bad"));
  return { leave() { clearTimeout(timer); news.stop(); } };
}

export function tableRow(shell, one, ondelete) {
  const names = one.names || one.players.map((who) => (who === "human" ? "You" : who));
  const told = names.map((name, i) => (i && name === "A person" ? "a person" : name));
  const state = { unfinished: "unfinished", forfeit: "given up", finished: "" }[one.status];
  return h("li", {},
    h("a.row", { href: gameAddress(one.id) }, picture(one.game),
      h("span", {}, h("strong", {}, titleOf(one.game), one.variant?.length ? h("small", {}, ` ${one.variant.join(" · ")}`) : ""), h("small", {}, told.join(told.length > 2 ? ", " : " against "))),
      h("span.num", {}, h("b", {}, endText(one, names)), h("small", {}, [state, one.assisted ? "with help" : "", when(one.started)].filter(Boolean).join(" · ")))),
    ondelete ? h("button.quiet.bare", { type: "button", "aria-label": `Delete this game of ${titleOf(one.game)}`, onclick: ondelete }, icon("close")) : "");
}

/** How a game ended, or stands, in few words: points where the game has them, else who won. */
export function endText(one, names) {
  const points = one.scores.map((value) => number(value)).join(" : ");
  if (one.counts ?? one.scores.some(Boolean)) return one.ended === "won" ? `${points}, won` : one.ended === "lost" ? `${points}, lost` : points;
  if (!one.results) return "";
  if (one.ended) return { won: "Won", lost: "Lost", draw: "Draw" }[one.ended];
  const best = Math.max(...one.results), first = one.results.filter((value) => value === best);
  if (first.length > 1) return one.results.length === first.length ? "Draw" : "Shared";
  return `${names[one.results.indexOf(best)]}${names.filter((name) => name === names[one.results.indexOf(best)]).length > 1 ? ` (${one.results.indexOf(best) + 1})` : ""} won`;
}

/** Choose options, seats and seed, and begin. */
export async function setup(shell, name) {
  const all = await games();
  let facts = all.games.find((game) => game.name === (name || memory.get("game", all.first))) || all.games[0];
  const remembered = memory.get(`setup.${facts.name}`, { options: {}, seats: [] });
  const form = h("form.setup", { method: "dialog", onsubmit: (event) => { event.preventDefault(); begin(); } });
  const shown = dialog("New game", form);

  function field(option) {
    const id = `option-${option.name}`;
    const value = remembered.options[option.name] ?? option.value;
    if (option.kind === "truth") return h("label.check", {}, h("input", { type: "checkbox", name: option.name, checked: Boolean(value), onchange: reseat }), option.means || option.name);
    const list = option.usual.length ? h("datalist", { id: `${id}-usual` }, option.usual.map((one) => h("option", { value: one }))) : "";
    return h("label.field", {}, h("span", {}, option.means || option.name),
      h("input", { id, name: option.name, value, type: option.kind === "text" ? "text" : "number", step: option.kind === "whole" ? "1" : "any", list: option.usual.length ? `${id}-usual` : null, required: option.kind !== "text", onchange: reseat }), list);
  }

  function options() {
    const chosen = {};
    for (const option of facts.options) {
      const input = form.elements[option.name];
      chosen[option.name] = option.kind === "truth" ? input.checked : option.kind === "text" ? input.value : Number(input.value);
    }
    return chosen;
  }

  function seatField(i) {
    const levels = facts.strengths.map((one) => one.name);
    const wish = remembered.seats[i] ?? (i === 0 ? "human" : "Medium"); // a level that a game has not: the middle one
    const before = wish === "human" || levels.includes(wish) ? wish : levels[Math.floor(levels.length / 2)];
    return h("label.field", {}, h("span", {}, facts.players > 1 ? `Player ${i + 1}${facts.sides?.[i] ? `, ${facts.sides[i]}` : ""}` : "Player"),
      h("select", { name: `seat-${i}` }, [h("option", { value: "human" }, facts.players > 1 ? "A person" : "You"),
        ...facts.strengths.map((one) => h("option", { value: one.name, selected: one.name === before, title: one.about }, `${one.name}: ${one.about}`))]));
  }

  /** Alone, one may race somebody who plays on the same draws. */
  function rivalField() {
    return h("label.field", {}, h("span", {}, "Race against"), h("select", { name: "rival" }, h("option", { value: "" }, "nobody"),
      facts.strengths.map((one) => h("option", { value: one.name, selected: one.name === remembered.rival }, `${one.name}, on the same draws`))));
  }

  const seats = h("fieldset", {});
  const usual = facts;
  const problem = h("p.problem", { role: "alert" });

  let wanted = 0;

  /** Options may change how many sit at the table. */
  async function reseat() {
    const turn = ++wanted;
    try {
      const found = await api.look(`/api/games/${facts.name}`, { options: options() });
      if (turn !== wanted) return; // an answer to an old wish
      facts = found;
      problem.textContent = "";
      if (seats.dataset.strengths !== strengthsOf(facts)) drawSeats();
    } catch (error) { if (turn === wanted) problem.textContent = error.message; }
  }

  /** What the fields are drawn for; who was chosen stays. */
  const strengthsOf = ({ players, measured, strengths }) => JSON.stringify([players, measured, strengths]);

  function drawSeats() {
    const fields = [...seats.querySelectorAll("select[name^=seat]")];
    if (fields.length) Object.assign(remembered, { seats: fields.map((one) => one.value), rival: form.elements.rival?.value });
    seats.dataset.strengths = strengthsOf(facts);
    seats.replaceChildren(h("legend", {}, facts.players > 1 ? "Who sits where" : "Who plays"), ...Array.from({ length: facts.players }, (_, i) => seatField(i)), facts.players === 1 && facts.chance ? rivalField() : "", unmeasured(usual, facts));
  }

  async function begin() {
    const wish = { game: facts.name, options: options(), seats: Array.from({ length: facts.players }, (_, i) => form.elements[`seat-${i}`].value) };
    if (form.elements.rival?.value && wish.seats[0] === "human") wish.rival = form.elements.rival.value;
    memory.set(`setup.${facts.name}`, wish);
    memory.set("game", facts.name);
    const seed = form.elements.seed.value.trim();
    if (seed) wish.seed = Number(seed);
    const go = form.querySelector(".go");
    go.disabled = true;
    go.textContent = "Preparing…"; // a variant that nobody has played here is compiled first
    try { await shell.begin(wish); shown.close(); } catch (error) { problem.textContent = error.message; }
    go.disabled = false;
    go.textContent = "Start";
  }

  /** The report of the game with these options; it grows while games are played. */
  async function test() {
    try { location.assign((await api.post("/api/playtests", { game: facts.name, options: options(), minutes: Number(form.elements.minutes.value) })).page); } catch (error) { problem.textContent = error.message; }
  }

  const kinds = h("select", { "aria-label": "Game", onchange: () => { shown.close(); setup(shell, kinds.value); } }, all.games.map((game) => h("option", { value: game.name, selected: game.name === facts.name }, game.title)));
  form.append(h("label.field", {}, h("span", {}, "Game"), kinds),
    seats,
    h("details", {}, h("summary", {}, "Options and seed"), facts.options.map(field),
      h("label.field", {}, h("span", {}, "Seed of the draws"), h("input", { name: "seed", type: "number", min: 0, max: 2 ** 53, step: 1, placeholder: "a new one", value: all.seed ?? "" })),
      all.playtests ? h("label.field", {}, h("span", {}, "Minutes of a playtest"), h("input", { name: "minutes", type: "number", min: 0.1, max: 240, step: "any", value: 10 })) : ""),
    problem, h("footer", {}, all.playtests ? h("button.quiet", { type: "button", title: "Games against itself, ten minutes or as the options say, and a report for its designer", onclick: test }, "Playtest") : "", h("a.rulelink", { href: rulesAddress(facts.name), onclick: () => shown.close() }, "Rules"), h("button.go", { type: "submit" }, "Start")));
  drawSeats();
  reseat(); // who opens the dialog will soon play: the server prepares the game
  form.querySelector(".go").focus();
}

/** A word where the strengths of a game are measured, but not for the options chosen. */
const unmeasured = (usual, facts) => (usual?.measured && !facts.measured ? h("p.hint", {}, "Not measured for these options: a name may stand for another strength here.") : "");

/** Who shall go on from a position. */
export async function seatsDialog(shell, table, ply) {
  const facts = await api.look(`/api/games/${table.game.name}`, { options: table.game.options });
  const fields = table.seats.map((seat, i) => h("label.field", {}, h("span", {}, sideOf(table.game, i)),
    h("select", {}, [h("option", { value: "human" }, "A person"), ...facts.strengths.map((one) => h("option", { value: one.name, selected: i !== table.view.player && one.player === seat.player, title: one.about }, one.name))])));
  const shown = dialog("Play on from here", h("form.setup", { onsubmit: async (event) => {
    event.preventDefault();
    try { await shell.begin({ from: table.id, ply, seats: fields.map((one) => one.querySelector("select").value) }); shown.close(); } catch (error) { toast(error.message, "bad"); }
  } }, fields, unmeasured((await games()).games.find((one) => one.name === table.game.name), facts), h("footer", {}, h("button.go", { type: "submit" }, "Start"))));
}
