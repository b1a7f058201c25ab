// The server over HTTP.

import { check, whenUp } from "./socket.js";

export class Refusal extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

const PAUSE = 400; // milliseconds before a question is asked again

async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(path, body === undefined ? { method } : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    check();
    throw new Refusal("The server does not answer. Is it still running? Your games are kept.", 0);
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(answer?.error || `The server answered ${response.status}.`, response.status);
  if (answer === null) throw new Refusal("The server's answer broke off.", 0); // it was stopped in the middle of it
  return answer;
}

/** A question that changes nothing, or the same when it is asked twice, is asked until there is an answer. */
async function until(method, path, body) {
  for (;;) {
    try { return await ask(method, path, body); } catch (error) {
      if (error.status !== 0) throw error;
      await new Promise((done) => { setTimeout(done, PAUSE); });
      await whenUp();
    }
  }
}

export const api = {
  get: (path) => until("GET", path),
  look: (path, body) => until("POST", path, body),
  surely: (path, body) => until("POST", path, body),
  post: (path, body = {}) => ask("POST", path, body),
  drop: (path) => ask("DELETE", path, {}),
};
