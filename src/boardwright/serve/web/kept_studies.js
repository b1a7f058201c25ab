// Studies that the server keeps: one by its address, and the list of them.

import { h, icon, toast } from "./dom.js";
import { when } from "./format.js";
import { gameAddress, studyAddress } from "./address.js";
import { api } from "./api.js";
import { picture, titleOf } from "./home.js";
import { person } from "./me.js";
import { StudyView } from "./study.js";

export async function keptStudy(shell, id) {
  const { base, ...kept } = await api.get(`/api/studies/${id}`);
  return new StudyView(shell, { ...base, back: base.table ? gameAddress(base.table) : "#/library" }, [], kept);
}

/** The studies as rows, newest first; nothing if there are none. */
export async function studyRows() {
  await StudyView.saving; // a name that was given on the way here
  const { studies } = await api.get(`/api/studies?person=${person()}`);
  if (!studies.length) return [];
  const row = (one) => {
    const made = h("li", {}, h("a.row", { href: studyAddress(one.id) }, picture(one.game),
      h("span", {}, h("strong", {}, one.title || `A study of ${titleOf(one.game)}`), h("small", {}, one.title ? titleOf(one.game) : "without a name")),
      h("span.num", {}, h("b", {}, one.mine ? "yours" : ""), h("small", {}, when(one.changed)))),
    h("button.quiet.bare", { type: "button", "aria-label": `Delete the study ${one.title || titleOf(one.game)}`, onclick: async () => {
      if (!confirm("Delete this study for good?")) return;
      try { await api.drop(`/api/studies/${one.id}`); made.remove(); toast("Deleted."); } catch (error) { toast(error.message, "bad"); }
    } }, icon("close")));
    return made;
  };
  return [h("h2", {}, "Studies"), h("ul.rows", {}, studies.map(row))];
}
