// A program that serves a game, and browsers that look at it.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const program = process.env.TRENCAVEL ?? join(root, "target/debug/trencavel");
const pictures = join(process.env.TRENCAVEL_PICTURES ?? join(root, "target/page"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(pictures, { recursive: true });

/** Milliseconds, far more than a test takes, even where a machine is busy with other things. */
export const PATIENCE = 1800000;

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

let browser;
export const open = async () => (browser ??= await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...FLAGS, ...QUIET] }));
export const close = async () => browser?.close();

/** A game that is served until `stop`. */
export async function serve(...args) {
  const child = spawn(program, ["play", "--no-open", ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const link = await new Promise((found, failed) => {
    let out = "";
    child.stdout.on("data", (data) => {
      out += data;
      const match = /playing on (\S+)/.exec(out);
      if (match) found(match[1]);
    });
    child.on("exit", (code) => failed(new Error(`the program ended with ${code}: ${out}`)));
  });
  return { link, origin: new URL(link).origin, stop: () => child.kill() };
}

/** A tab of its own browser that complains about anything unusual. */
export async function look(game, how = {}) {
  const context = await (await open()).newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...how });
  return tab(game, context);
}

/** One more tab of a browser. */
export async function tab(game, context) {
  const page = await context.newPage();
  page.setDefaultTimeout(300000);
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== game.origin) page.complaints.push(`asks ${request.url()}`);
  });
  await page.goto(game.link);
  assert.equal(page.url(), `${game.origin}/`, "the token is out of the address line");
  await page.waitForSelector("#choices h2");
  return page;
}

/** Where the game stands. */
export const at = (page) => page.getAttribute("#choices h2", "data-at");

/** Waits until everything is where it stays: a board is fitted into its room when that has been measured. */
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Does something, and waits until the game has gone on. */
export async function goOn(page, doing) {
  const before = await at(page);
  await doing();
  await page.waitForFunction((before) => document.querySelector("#choices h2")?.dataset.at !== before, before);
}

/** Puts the game to a decision that was reached before. */
export const stands = (page, number) => page.waitForFunction((number) => document.querySelector("#choices h2")?.dataset.at === number, number);

export const shot = (page, name, full = false) => page.screenshot({ path: join(pictures, `${name}.png`), fullPage: full });

/** No rule of accessibility is broken. */
export async function scan(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  const words = found.violations.map((one) => `${one.id}: ${one.help}\n${one.nodes.slice(0, 3).map((node) => `    ${node.html}\n    ${node.failureSummary}`).join("\n")}`);
  assert.deepEqual(words, [], what);
}

/** Numbers by chance, the same every time. */
export function dice(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
