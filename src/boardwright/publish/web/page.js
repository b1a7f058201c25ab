// On a published page a worker answers what a server would: requests to /api/ and the socket for searches go to it. This
// runs before the page's own files, which are the same as on the server.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const waiting = new Map(); // number of a request -> what to do with its answer
const sockets = new Set();
let count = 0, broken = null;

worker.onmessage = ({ data }) => {
  if (data.request) {
    waiting.get(data.request)?.(data);
    waiting.delete(data.request);
  } else for (const one of sockets) one.hear(data.socket);
};
worker.onerror = (event) => {
  broken = `This browser cannot play here: ${event.message || "its worker did not start"}.`;
  for (const answer of waiting.values()) answer({ status: 500, answer: { error: broken } });
  waiting.clear();
};

function request(method, path, body) {
  return new Promise((resolve) => {
    const number = ++count;
    if (broken) { resolve({ status: 500, answer: { error: broken } }); return; }
    waiting.set(number, resolve);
    worker.postMessage({ request: number, method, path, body });
  });
}

const overTheNet = globalThis.fetch;
globalThis.fetch = async (what, how = {}) => {
  if (typeof what !== "string" || !what.startsWith("/api/")) return overTheNet(what, how);
  const { status, answer } = await request(how.method || "GET", what, how.body ? JSON.parse(how.body) : {});
  return new Response(JSON.stringify(answer), { status, headers: { "Content-Type": "application/json" } });
};

/** The socket for searches, as far as the page uses one. */
class LocalSocket extends EventTarget {
  static OPEN = 1;
  static CLOSED = 3;

  constructor() {
    super();
    this.readyState = 0;
    sockets.add(this);
    queueMicrotask(() => { this.readyState = LocalSocket.OPEN; this.#tell("open", new Event("open")); });
  }

  send(text) { worker.postMessage({ socket: JSON.parse(text) }); }
  hear(message) { this.#tell("message", new MessageEvent("message", { data: JSON.stringify(message) })); }
  close() { this.readyState = LocalSocket.CLOSED; sockets.delete(this); this.#tell("close", new Event("close")); }
  #tell(name, event) { this[`on${name}`]?.(event); this.dispatchEvent(event); }
}
globalThis.WebSocket = LocalSocket;

if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("sw.js").catch(() => { /* it works without, online */ });
