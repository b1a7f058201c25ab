// The socket for searches: every question has an id of its own, and answers to old questions are dropped by it.

const waiting = new Map(); // id -> {report, resolve, reject}
let socket = null;
let opened = null;
let count = 0;

function connect() {
  if (opened) return opened;
  opened = new Promise((resolve, reject) => {
    socket = new WebSocket(`ws://${location.host}/api/search`);
    socket.onopen = () => resolve(socket);
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = () => {
      opened = null;
      reject(new Error("The server does not answer. Is it still running? Your games are kept."));
      for (const [, one] of waiting) one.reject(new Error("The connection was lost; ask again."));
      waiting.clear();
    };
  });
  return opened;
}

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
  let stopped = false;
  const answer = connect().then((line) => new Promise((resolve, reject) => {
    if (stopped) { resolve({ stopped: true }); return; }
    waiting.set(id, { report, resolve, reject });
    line.send(JSON.stringify({ id, action, ...fields }));
  }));
  const stop = () => {
    if (stopped) return;
    stopped = true;
    if (waiting.has(id) && socket?.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ id: `stop-${++count}`, action: "terminate", of: id }));
  };
  return { id, answer, stop };
}
