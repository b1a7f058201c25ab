// The value of a game, step by step, with what each move lost below: a click goes there. A run of draws is one step:
// a deal of twenty tiles is not twenty times as long as a move.

import { s } from "./dom.js";
import { number, verdictText } from "./format.js";
import { shade } from "./labels.js";

const WIDE = 600, HIGH = 150, BARS = 46;

/** `sides`: what each seat is called. */
export function graph(report, at, pick, sides) {
  const events = report.events;
  const last = Math.max(1, events.length);
  const ends = [0, ...events.map((event) => event.ply + event.count - 1)]; // the ply that each step ends at
  const stepOf = (ply) => { const found = ends.findIndex((end) => end >= ply); return found < 0 ? last : found; };
  const points = report.unit === "points";
  const across = (step) => (WIDE * step) / last;
  const players = report.players.length;
  const curves = players === 2 && !points ? [0] : report.players.map((_, i) => i);
  const values = curves.map((seat) => [[0, events[0]?.before[seat] ?? 0], ...events.map((event, i) => [i + 1, event.after[seat]])]);
  const all = values.flat().map(([, value]) => value);
  const low = points ? Math.min(0, ...all) : -1, high = points ? Math.max(1, ...all) * 1.05 : 1;
  const up = (value) => HIGH - (HIGH * (value - low)) / (high - low);
  const worst = Math.max(points ? 0.02 * high : 0.2, ...events.map((event) => (event.loss > 0 ? event.high : 0)));
  const svg = s("svg.graph", { viewBox: `0 -4 ${WIDE} ${HIGH + BARS + 8}`, role: "img", preserveAspectRatio: "none", "aria-label": `Value over the game, from ${show(values[0][0][1])} to ${show(values[0].at(-1)[1])}` });
  function show(value) { return points ? `${number(value)} points` : `${number(50 * (value + 1))} percent for ${sides[0]}`; }
  svg.append(s("rect.ground", { x: 0, y: 0, width: WIDE, height: HIGH }));
  if (!points) svg.append(s("path.half", { d: `M0 ${HIGH / 2}H${WIDE}` }));
  values.forEach((curve, i) => {
    const path = curve.map(([step, value], k) => `${k ? "L" : "M"}${across(step).toFixed(1)} ${up(value).toFixed(1)}`).join("");
    if (curves.length === 1) svg.append(s("path.area", { d: `${path}L${across(curve.at(-1)[0])} ${HIGH}L0 ${HIGH}Z` }));
    svg.append(s(`path.curve.p${curves[i]}`, { d: path }));
  });
  if (report.scores && !points) { // a chance of winning near 0 or 1 says little: the points do
    const most = Math.max(1, ...report.scores.flat());
    if (most > 1) report.players.forEach((_, seat) => svg.append(s(`path.points.p${seat}`, { d: ends.map((ply, step) => `${step ? "L" : "M"}${across(step).toFixed(1)} ${(HIGH - (HIGH * report.scores[ply][seat]) / most).toFixed(1)}`).join("") })));
  }
  const broad = Math.max(2, Math.min(14, (WIDE / last) * 0.7));
  events.forEach((event, i) => {
    if (event.kind === "move" && event.loss > 0) {
      const tall = Math.max(2, (BARS * event.loss) / worst);
      svg.append(s(`rect.lost.${shade(event.label)}`, { x: across(i + 1) - broad / 2, y: HIGH + 4, width: broad, height: tall }, s("title", {}, verdictText(event, points))));
      if (event.error) { // the interval of the loss
        const [from, to] = [event.low, event.high].map((loss) => (HIGH + 4 + (BARS * Math.min(loss, worst)) / worst).toFixed(1));
        svg.append(s("path.interval", { d: `M${across(i + 1).toFixed(1)} ${from}V${to}` }));
      }
    } else if (event.kind === "draw" && Math.abs(event.luck[0]) > 0.02 * (high - low)) {
      svg.append(s(`rect.luck`, { x: across(i + 1) - 1.5, y: Math.min(up(event.before[0]), up(event.after[0])), width: 3, height: Math.abs(up(event.before[0]) - up(event.after[0])) }, s("title", {}, `luck ${event.luck[0] > 0 ? "for" : "against"} ${sides[0]}: ${event.text}`)));
    }
  });
  svg.append(s("path.now", { d: `M${across(stepOf(at))} -4V${HIGH + BARS + 4}` }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    pick(ends[Math.max(0, Math.min(last, Math.round((last * (event.clientX - box.left)) / box.width)))]);
  });
  return svg;
}
