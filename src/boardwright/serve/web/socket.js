// The line to the server: one socket for searches and news, opened again by itself whenever it is lost. Every question has
// an id of its own, and answers to old questions are dropped by it. What still waits for an answer is asked again.

const FIRST = 250, LONGEST = 5000; // milliseconds before another try: the first pause, doubled up to the longest
const BEAT = 20_000, DEAF = 15_000; // how often the line is tried, and how long an answer may take
const AGAIN = new Set(["analyse", "report", "watch", "files", "follow", "theatre"]); // what means the same to a server that was started anew

const waiting = new Map(); // id -> {action, fields, report, resolve, reject}
const listeners = new Set();
let socket = null;
let tries = 0;
let timer = 0;
let beat = 0;
let count = 0;

/** How it stands with the line; `strange`: the server wants another token than this page has. */
export const line = { up: true, strange: false };

/** Call `told()` whenever the line is lost or found again. */
export function onLine(told) { listeners.add(told); }

function stands(up) {
  if (line.up === up) return;
  line.up = up;
  for (const told of listeners) told();
}

/** Open the line, now rather than after the pause. */
export function connect() {
  clearTimeout(timer);
  if (socket) return;
  const made = new WebSocket(`ws://${location.host}/api/search`);
  socket = made;
  const opening = setTimeout(() => giveUp(made), DEAF);
  made.onopen = () => {
    clearTimeout(opening);
    tries = 0;
    line.strange = false;
    for (const [id, one] of waiting) send(id, one);
    stands(true);
    clearInterval(beat);
    beat = setInterval(check, BEAT);
  };
  made.onmessage = (event) => hear(JSON.parse(event.data));
  made.onclose = () => { clearTimeout(opening); if (socket === made) lost(); };
}

function giveUp(made) {
  if (socket !== made) return;
  made.close();
  lost();
}

function lost() {
  socket = null;
  clearInterval(beat);
  for (const [id, one] of waiting) {
    if (AGAIN.has(one.action) && !one.stopped) continue;
    waiting.delete(id);
    if (one.stopped) one.resolve({ stopped: true }); // it was over, and is not begun again
    else one.reject(Object.assign(new Error("The connection was lost; ask again."), { status: 0 }));
  }
  stands(false);
  const pause = Math.min(LONGEST, FIRST * 2 ** tries) * (0.75 + Math.random() / 2); // not all pages at one moment
  tries += 1;
  timer = setTimeout(connect, pause);
  if (tries % 4 === 3) fetch("/").then((answer) => { if (line.strange !== (answer.status === 401)) { line.strange = !line.strange; for (const told of listeners) told(); } }, () => {});
}

/** Whether the line still carries; one that does not is given up. */
export function check() {
  const tried = socket;
  if (!tried) { connect(); return; }
  if (tried.readyState !== WebSocket.OPEN) return;
  const deaf = setTimeout(() => giveUp(tried), DEAF);
  ask("ping", {}).answer.then(() => clearTimeout(deaf), () => clearTimeout(deaf));
}

/** A promise that the line is up; of what is asked meanwhile nothing is lost. */
export function whenUp() {
  if (line.up) return Promise.resolve();
  return new Promise((resolve) => {
    const told = () => { if (line.up) { listeners.delete(told); resolve(); } };
    listeners.add(told);
  });
}

function send(id, { action, fields }) { socket.send(JSON.stringify({ id, action, ...fields })); }

function hear(message) {
  const one = waiting.get(message.id);
  if (!one) return;
  if (!message.final) { one.report?.(message); return; }
  waiting.delete(message.id);
  if (message.error) one.reject(Object.assign(new Error(message.error), { status: message.status }));
  else one.resolve(message);
}

/** Ask; returns {id, answer: a promise of the final answer, stop()}. `report` hears what comes before it. */
export function ask(action, fields, report) {
  const id = `${action}-${++count}`;
  const open = () => socket?.readyState === WebSocket.OPEN;
  const answer = new Promise((resolve, reject) => {
    waiting.set(id, { action, fields, report, resolve, reject });
    if (open()) send(id, waiting.get(id)); else connect();
  });
  const stop = () => {
    const one = waiting.get(id);
    if (!one || one.stopped) return;
    one.stopped = true;
    if (open()) socket.send(JSON.stringify({ id: `stop-${++count}`, action: "terminate", of: id }));
    else { waiting.delete(id); one.resolve({ stopped: true }); }
  };
  return { id, answer, stop };
}
