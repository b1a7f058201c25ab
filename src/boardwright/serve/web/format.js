// Figures and moments as people read them. No page is needed to run this: tests/js does.

export function number(value, digits = 0) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
}

/** A number with as many digits as its size deserves. */
export function short(value) { return number(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 4); }

/** A value as people read it: points, or a result from -1 to 1 as the chance of a win. */
export function worth(value, points) {
  if (value === null || value === undefined) return "–";
  if (points) return number(value, Math.abs(value) < 1000 ? 1 : 0);
  return `${number(50 * (value + 1), 0)} %`;
}

/** The same in the few characters that fit on a cell. */
export function mark(value, points) {
  const size = Math.abs(value);
  if (points && size >= 1000) return `${number(value / 1000, size < 10000 ? 1 : 0)}k`;
  return points ? number(value ?? 0, Math.abs(value) < 100 ? 1 : 0) : number(50 * ((value ?? 0) + 1));
}

/** A loss in the same units as `worth`; nothing where it rounds to none. */
export function lossText(loss, points) {
  if (loss === null || loss === undefined) return "";
  const shown = points ? number(loss, Math.abs(loss) < 1000 ? 1 : 0) : number(50 * loss, 1);
  return /^0(\.0)?$/.test(shown) ? "" : `−${shown}`;
}

/** A standard error in the same units, as it stands behind a figure; nothing where the rules decide. */
export function errorText(error, points) {
  if (!error) return "";
  const size = points ? error : 50 * error;
  return size < 0.05 ? " ± <0.1" : ` ± ${number(size, size < 1000 ? 1 : 0)}`;
}

/** What the judge says of a move: what it lost, how sure that is, and what was best. */
export function verdictText(event, points) {
  const unit = points ? "" : " %";
  const figure = (value) => `${points ? number(value, Math.abs(value) < 1000 ? 1 : 0) : number(50 * value, 1)}${errorText(event.error, points)}${unit}`;
  if (event.label === "unsure") return `${event.text}: unsure, it may have lost ${figure(Math.max(event.estimate, 0))}`;
  if (event.label === "best") return `${event.text}: best${event.error ? `, to ${errorText(event.error, points).trim()}${unit}` : ""}`;
  const least = event.error && event.low > 0 ? `, at least ${points ? number(event.low, event.low < 1000 ? 1 : 0) : number(50 * event.low, 1)}${unit}` : ""; // by which it has its label
  return `${event.text}: ${event.label}, lost ${figure(event.loss || Math.max(event.estimate, 0))}${least}${event.best !== event.text ? `; best was ${event.best}` : ""}`;
}

/** A part of what a result is made of: a difference with its sign, but start and result as they are. */
export function accountText(value, name, points) {
  const whole = name === "start" || name === "result";
  if (!points && whole) return `${number(50 * (value + 1))} %`;
  return (value > 0 && !whole ? "+" : "") + (points ? number(value, 1) : `${number(50 * value, 0)} %`);
}

/** A step of a game as it is listed: what chance did comes with a ~ before it. */
export function plainStep(step) {
  return step.text.replace(/^~/, "");
}

export function arrowed(move) {
  return { up: "↑ up", right: "→ right", down: "↓ down", left: "← left" }[move] || move;
}

/** How long ago, or the day. */
export function when(text, now = Date.now()) {
  const then = new Date(text), minutes = Math.round((now - then) / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 1440) return `${Math.round(minutes / 60)} h ago`;
  return then.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

/** How far something is, in percent, that has taken `seconds` of about `of`: what takes longer slows down, and is never done
    before it is. */
export function prepared({ seconds, of }) {
  const share = seconds / Math.max(of, 0.1);
  return Math.round(share < 0.9 ? 100 * share : 100 - 10 * Math.exp(1 - share / 0.9));
}
