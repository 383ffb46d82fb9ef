// Shows what the server says, sends what is chosen. The game is the server's; only how one looks at it is kept here:
// the way the tile in hand is turned, the part of the board that is seen, what is pointed at.
"use strict";

const $ = (id) => document.getElementById(id);
const view = $("view");
const SVG = "http://www.w3.org/2000/svg";

// ---- talking to the server

async function send(path, body, type) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": type }, body }).catch(() => null);
  const wrong = answer === null ? "The program does not answer any more." : answer.ok ? "" : await answer.text();
  $("oops").textContent = wrong;
  return wrong === "";
}

const order = (what) => send("/do", JSON.stringify(what), "application/json");

function listen() {
  const events = new EventSource(`/events?seen=${document.body.dataset.page}`);
  events.addEventListener("page", (event) => {
    document.body.classList.remove("offline");
    show(JSON.parse(event.data));
  });
  events.onerror = () => document.body.classList.add("offline");
}

// ---- showing

function show(news) {
  const focused = document.activeElement;
  const seen = focused?.matches(":focus-visible");
  const key = focused?.closest("[data-key]")?.dataset.key;
  const home = Object.keys(news).find((name) => $(name)?.contains(focused));
  for (const [name, text] of Object.entries(news)) {
    const place = $(name);
    if (place !== null) place.innerHTML = text;
  }
  settle();
  $("ghost")?.replaceChildren();
  hideTip();
  if (home !== undefined && seen && document.activeElement === document.body) refocus(home, key);
}

// What the script adds to fragments.
function settle() {
  turn(firstWay());
  look();
  const now = document.querySelector("#players .now");
  if (now !== null) $("players").scrollLeft = now.offsetLeft - $("players").offsetLeft - 8;
  $("bots").textContent = document.querySelector("#choices .waiting") ? "Bots on" : "Bots off";
}

// Whoever works with the keyboard goes on where the work goes on.
function refocus(home, key) {
  const same = key && [...$(home).querySelectorAll("[data-key]")].find((other) => other.dataset.key === key);
  if (same) same.focus();
  else if (home === "board") (spots()[0] ?? view).focus();
  else $("choices").querySelector("h2")?.focus();
}

// ---- the tile in hand

let way = 0;
let tileShown = "";

const ways = () => [...document.querySelectorAll(".offered > [data-way]")].map((item) => Number(item.dataset.way));

function firstWay() {
  const tile = $("in-hand")?.innerHTML ?? "";
  const known = ways();
  const keep = tile === tileShown && known.includes(way);
  tileShown = tile;
  return keep || known.length === 0 ? way : Math.min(...known);
}

function turn(to) {
  way = (to + 4) % 4;
  $("in-hand")?.setAttribute("transform", `rotate(${90 * way} 50 50)`);
  if ($("turned")) $("turned").textContent = `${90 * way}°`;
  for (const item of document.querySelectorAll("#choices [data-way]")) item.hidden = Number(item.dataset.way) !== way;
  const count = document.querySelector(".refusals .count");
  if (count) count.textContent = `(${[...document.querySelectorAll(".refused > li")].filter((item) => !item.hidden).length})`;
  for (const spot of document.querySelectorAll(".space")) {
    const offered = offers(spot, way);
    const other = [1, 2, 3].map((more) => (way + more) % 4).find((more) => offers(spot, more));
    spot.classList.toggle("open", offered);
    spot.classList.toggle("later", !offered && other !== undefined);
    const hint = offered ? "place the tile here" : other !== undefined ? `fits when turned to ${90 * other}°` : "the tile does not fit";
    spot.setAttribute("aria-label", `space ${spot.dataset.at}: ${hint}`);
  }
  $("ghost")?.replaceChildren();
}

const choiceOf = (spot, turned = way) => $(spot.dataset.choice ?? spot.dataset[`turn${turned}`]);
const isOffered = (button) => button !== null && button.getAttribute("aria-disabled") !== "true";
const offers = (spot, turned) => spot.dataset[`turn${turned}`] !== undefined && isOffered($(spot.dataset[`turn${turned}`]));

// ---- choosing

function choose(button) {
  if (!isOffered(button)) return;
  const at = Number($("choices").querySelector("[data-at]")?.dataset.at);
  order({ do: "answer", text: button.dataset.answer, at });
}

function press(spot) {
  const button = choiceOf(spot);
  if (isOffered(button)) return choose(button);
  const other = [1, 2, 3].map((more) => (way + more) % 4).find((more) => offers(spot, more));
  if (other !== undefined) turn(other);
  point(spot);
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("button, .spot, a");
  if (target === null) return;
  const data = target.dataset;
  if (target.classList.contains("spot")) press(target);
  else if ("answer" in data) choose(target);
  else if ("do" in data) order({ do: data.do });
  else if ("go" in data) order({ do: "go", to: Number(data.go) });
  else if ("turn" in data) turn(way + Number(data.turn));
  else if ("zoom" in data) Number(data.zoom) === 0 ? fit() : zoom(Number(data.zoom));
  else if (target.id === "open-load") $("load").click();
  else if (target.id === "open-help") target.setAttribute("aria-expanded", String(!($("help").hidden = !$("help").hidden)));
  else if (target.id === "show-odds") target.setAttribute("aria-pressed", String(view.classList.toggle("odds")));
});

document.addEventListener("change", async (event) => {
  const target = event.target;
  if ("sit" in target.dataset) order({ do: "sit", player: Number(target.dataset.sit), who: target.value });
  if (target.id === "load" && target.files.length > 0) {
    await send("/load", await target.files[0].text(), "text/plain");
    target.value = "";
  }
});

// ---- pointing

function glow(places) {
  const rects = places.split(" ").filter(Boolean).map((place) => {
    const [x, y] = place.split(",").map(Number);
    const rect = document.createElementNS(SVG, "rect");
    const box = { x: 100 * x + 3, y: 100 * y + 3, width: 94, height: 94, rx: 6 };
    Object.entries(box).forEach(([name, value]) => rect.setAttribute(name, value));
    return rect;
  });
  $("glow")?.replaceChildren(...rects);
}

// A spot and its button light up together; the tip says what it is, or why it is refused.
function point(spot) {
  unpoint();
  const button = choiceOf(spot);
  spot.classList.add("hot");
  button?.classList.add("hot");
  if (offers(spot, way)) ghost(spot);
  const tip = $("tip");
  const why = button && $(`${button.id}-why`);
  const words = document.createElement("div");
  words.textContent = spot.classList.contains("space") ? spot.getAttribute("aria-label") : (button?.textContent ?? "").trim();
  tip.replaceChildren(words, ...(why && !spot.classList.contains("later") ? [why.cloneNode(true)] : []));
  tip.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  tip.querySelectorAll(".why").forEach((part) => part.classList.remove("why"));
  tip.hidden = false;
  const [box, stage] = [spot.getBoundingClientRect(), $("stage").getBoundingClientRect()];
  const below = box.bottom - stage.top + 8;
  const fits = below + tip.offsetHeight < stage.height;
  tip.style.top = `${Math.max(4, fits ? below : box.top - stage.top - tip.offsetHeight - 8)}px`;
  tip.style.left = `${Math.max(4, Math.min(box.left - stage.left, stage.width - tip.offsetWidth - 4))}px`;
}

function unpoint() {
  document.querySelectorAll(".hot").forEach((hot) => hot.classList.remove("hot"));
  $("ghost")?.replaceChildren();
  hideTip();
}

const hideTip = () => ($("tip").hidden = true);

function ghost(spot) {
  const hand = $("in-hand");
  if (hand === null) return;
  const copy = document.createElementNS(SVG, "g");
  const [x, y] = spot.dataset.at.split(",").map(Number);
  copy.innerHTML = hand.innerHTML;
  copy.setAttribute("transform", `translate(${100 * x} ${100 * y}) rotate(${90 * way} 50 50)`);
  $("ghost").replaceChildren(copy);
}

function pointed(target) {
  const spot = target.closest?.(".spot");
  if (spot) return point(spot);
  const spaces = target.closest?.("[data-spaces]");
  glow(spaces?.dataset.spaces ?? "");
  const button = target.closest?.("#choices button[id]");
  if (button) {
    unpoint();
    const mine = [...document.querySelectorAll(".spot")].find((other) => choiceOf(other) === button);
    mine?.classList.add("hot");
    if (mine && offers(mine, way)) ghost(mine);
  } else if (!target.closest?.("#tip")) unpoint();
}

document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && pointed(event.target));
document.addEventListener("focusin", (event) => pointed(event.target));

// ---- the part of the board that is seen

let eye = null; // { x, y: the middle, scale: picture points for each unit }
let free = false; // true once somebody moved it

function paint() {
  const { width, height } = view.getBoundingClientRect();
  if (width === 0 || eye === null) return;
  const [w, h] = [width / eye.scale, height / eye.scale];
  view.setAttribute("viewBox", `${eye.x - w / 2} ${eye.y - h / 2} ${w} ${h}`);
}

function fit() {
  const { width, height } = view.getBoundingClientRect();
  const room = $("room")?.getBBox();
  if (room === undefined || width === 0) return;
  const scale = Math.min(width / (room.width + 40), height / (room.height + 40), 1.6);
  eye = { x: room.x + room.width / 2, y: room.y + room.height / 2, scale };
  free = false;
  paint();
}

// After news: everything, or, if somebody chose what to see, at least the tile just placed.
function look() {
  if (eye === null || !free) return fit();
  const last = document.querySelector(".last")?.getBoundingClientRect();
  const stage = view.getBoundingClientRect();
  if (last && (last.right < stage.left || last.left > stage.right || last.bottom < stage.top || last.top > stage.bottom)) fit();
}

function zoom(by, at) {
  if (eye === null) return;
  const box = view.getBoundingClientRect();
  const [dx, dy] = at ? [at.x - box.left - box.width / 2, at.y - box.top - box.height / 2] : [0, 0];
  const scale = Math.min(6, Math.max(0.08, eye.scale * by));
  eye = { x: eye.x + dx / eye.scale - dx / scale, y: eye.y + dy / eye.scale - dy / scale, scale };
  free = true;
  paint();
}

function pan(dx, dy) {
  if (eye === null) return;
  eye = { ...eye, x: eye.x - dx / eye.scale, y: eye.y - dy / eye.scale };
  free = true;
  paint();
}

const fingers = new Map();
let dragged = false;

view.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size === 1) dragged = false;
});

addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (before === undefined) return;
  const now = { x: event.clientX, y: event.clientY };
  if (!dragged && Math.hypot(now.x - before.x, now.y - before.y) < 6) return;
  dragged = true;
  view.classList.add("dragging");
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  if (other === undefined) pan(now.x - before.x, now.y - before.y);
  else zoom(Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y)), other);
  fingers.set(event.pointerId, now);
});

for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, (event) => {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) view.classList.remove("dragging");
  });
}

// What was dragged was not pressed.
view.addEventListener("click", (event) => dragged && event.stopPropagation(), true);
view.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), { x: event.clientX, y: event.clientY });
}, { passive: false });
new ResizeObserver(() => (free ? paint() : fit())).observe(view);

// ---- the keyboard

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Where one can choose comes first.
const spots = () => [...document.querySelectorAll(".spot")].sort((a, b) => Number(isOffered(choiceOf(b))) - Number(isOffered(choiceOf(a))));

function step(dx, dy) {
  const middle = (spot) => {
    const box = spot.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const all = spots();
  const here = document.activeElement.closest?.(".spot");
  if (!here) return all[0]?.focus();
  const from = middle(here);
  const ahead = all.filter((spot) => spot !== here).map((spot) => {
    const to = middle(spot);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    return { spot, along, cost: along + 2 * aside };
  });
  ahead.filter((one) => one.along > 2).sort((a, b) => a.cost - b.cost)[0]?.spot.focus();
}

view.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
  const spot = event.target.closest(".spot");
  if (arrow && event.shiftKey) pan(-80 * arrow[0], -80 * arrow[1]);
  else if (arrow) step(...arrow);
  else if ((event.key === "Enter" || event.key === " ") && spot) press(spot);
  else if (event.key === "r" || event.key === "R") {
    turn(way + (event.shiftKey ? 3 : 1));
    if (spot) point(spot);
  } else if (event.key === "+" || event.key === "=") zoom(1.25);
  else if (event.key === "-") zoom(0.8);
  else if (event.key === "0") fit();
  else if (event.key === "Escape") $("choices").querySelector("h2")?.focus();
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, select")) return;
  const what = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : null;
  if (what === null) return;
  event.preventDefault();
  order({ do: what });
});

settle();
listen();
