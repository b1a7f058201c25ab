// The settings of a search on show, and of what is shown.

import { h } from "../dom.js";

const ABOUT = { ucb1: "UCB1", puct: "PUCT", gumbel: "Gumbel", even: "Even: all alike" };

/** A form of one search's settings. `changed(settings)` hears the new ones; what is as the game advises is left out. */
export function settingsForm(answer, settings, title, changed) {
  const { choices, settings: told } = answer;
  const set = (name, value) => {
    const next = { ...settings };
    if (value === "") delete next[name]; else next[name] = value;
    changed(next);
  };
  const select = (name, label) => h("label", {}, h("span", {}, label), h("select", { onchange: (event) => set(name, event.target.value) },
    choices[name].map((one) => h("option", { value: one, selected: one === told[name] }, ABOUT[one] || one))));
  const numeric = (name, label, props) => h("label", {}, h("span", {}, label), h("input", { type: "number", value: told[name], ...props, onchange: (event) => set(name, event.target.value) }));
  const explores = told.select === "ucb1" || told.select === "puct";
  const plain = settings.proofs === "false";
  return h("form.settings", { "aria-label": title, onsubmit: (event) => event.preventDefault() },
    select("select", "Rule of selection"),
    numeric("c", "Exploration c", { min: 0, max: 1000, step: "any", disabled: !explores }),
    told.select === "puct" || told.select === "gumbel" ? select("prior", "Prior") : "",
    select("rollout", "Playouts"),
    numeric("rollouts", "Playouts a leaf", { min: 1, max: 50, step: 1, disabled: told.rollout === "none" }),
    h("label.check", {}, h("input", { type: "checkbox", checked: !plain, onchange: (event) => {
      const next = { ...settings };
      if (event.target.checked) { delete next.proofs; delete next.forcing; } else Object.assign(next, { proofs: "false", forcing: "false" });
      changed(next);
    } }), "Proofs and threats"));
}
