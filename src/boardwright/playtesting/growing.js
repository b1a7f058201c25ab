// A report that grows asks for itself again, until it is whole: that one has no script.
const titleOf = (one) => one.querySelector("summary").firstChild.textContent;

/** What a definition is found by in the next report. */
function nameOf(one) {
  const part = one.closest("section");
  const alike = [...part.querySelectorAll("details")].filter((other) => titleOf(other) === titleOf(one));
  return `${part.id} ${titleOf(one)} ${alike.indexOf(one)}`;
}

function put(fresh) {
  const old = document.querySelector("main");
  const open = new Set([...old.querySelectorAll("details[open]")].map(nameOf));
  const at = document.activeElement?.closest("details");
  const focused = at && nameOf(at);
  old.replaceWith(fresh);
  for (const one of fresh.querySelectorAll("details")) {
    one.open = open.has(nameOf(one));
    if (nameOf(one) === focused) one.querySelector("summary").focus({ preventScroll: true });
  }
}

function wait() {
  if (document.querySelector(".waiting")) return;
  const told = document.createElement("p");
  told.className = "failed waiting";
  told.setAttribute("role", "status");
  told.textContent = "Waiting for Boardwright; the report goes on when it is back.";
  document.querySelector(".growing").after(told);
}

async function again() {
  let fresh = null;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.ok) fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  } catch { /* nobody is there: it is asked again */ }
  if (fresh) put(document.adoptNode(fresh)); else wait();
  later();
}

function later() {
  const growing = document.querySelector(".growing");
  if (growing) setTimeout(again, 1000 * growing.dataset.again);
}

addEventListener("DOMContentLoaded", later);
