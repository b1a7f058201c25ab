// A worker of its own for texts and pictures: Brython runs the game's methods for people. It evaluates the JavaScript that it
// makes, which the page's content policy forbids and a worker's own allows.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to and from a worker have none */

self.importScripts("brython.js");

onmessage = async ({ data }) => {
  if (data.source !== undefined) {
    // The last lines hand Python's function over to JavaScript.
    self["__BRYTHON__"].runPythonSource(`${data.source}\nfrom browser import self as worker\nworker.boardwright_answer = answer\n`);
    return;
  }
  try {
    postMessage({ number: data.number, answer: JSON.parse(self.boardwright_answer(data.question)) });
  } catch (error) {
    postMessage({ number: data.number, error: `its texts and pictures failed (${error.message || error.args || error})` });
  }
};
