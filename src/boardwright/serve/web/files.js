// Files of own games: that one was saved and is being checked, what is wrong with it and where, that its rules are in use.

import { announce, h, toast } from "./dom.js";
import { ask } from "./socket.js";

const notes = h("div.filenotes", { role: "region", "aria-label": "Your game's file" });
const editions = new Map();
let shown = "";

function note(file) {
  if (file.state === "checking") return h("div.filenote.busy", {}, h("p", {}, h("strong", {}, file.file), " was saved: checking it…"));
  return h("div.filenote", {}, h("p", {}, h("strong", {}, file.line ? `${file.file}, line ${file.line}` : file.file), `: ${file.error}`),
    file.source ? h("pre", {}, h("b", {}, String(file.line)), h("code", {}, file.source)) : "",
    h("p", {}, h("small", {}, "Until it is mended and saved, the page goes on with the rules before.")));
}

/** Keep the notes above the page true; `renewed()` hears that a file's new rules are in use. */
export function watchFiles(renewed) {
  document.querySelector("header.top").after(notes);
  ask("files", {}, ({ files }) => {
    const told = JSON.stringify(files);
    if (told === shown) return;
    shown = told;
    const wrong = files.filter((file) => file.state !== "fine");
    notes.replaceChildren(...wrong.map(note));
    for (const file of wrong) if (file.state === "broken") announce(`${file.file}${file.line ? `, line ${file.line}` : ""}: ${file.error}`);
    for (const file of files) {
      const before = editions.get(file.game);
      editions.set(file.game, file.edition);
      if (before === undefined || before === file.edition) continue;
      toast(`${file.file} is in use as you saved it.`);
      renewed();
    }
  }).answer.catch((error) => toast(error.message, "bad"));
}
