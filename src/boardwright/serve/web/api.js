// The server over HTTP.

export class Refusal extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(path, body === undefined ? { method } : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Refusal("The server does not answer. Is it still running? Your games are kept.", 0);
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(answer.error || `The server answered ${response.status}.`, response.status);
  return answer;
}

export const api = {
  get: (path) => ask("GET", path),
  post: (path, body = {}) => ask("POST", path, body),
  drop: (path) => ask("DELETE", path, {}),
};
