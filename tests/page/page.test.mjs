import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { at, close, dice, goOn, look, PATIENCE, scan, serve, settled, shot, stands, tab } from "./table.mjs";

after(close);

const MIX = ["--with", "constable,princess-and-dragon,the-tower,inns-and-cathedrals"];
const offered = ".offered li:not([hidden]) button";

/** Runs a test at a game of its own; nothing unusual may show up in the browser. */
function game(name, args, how, run) {
  test(name, { timeout: PATIENCE }, async () => {
    const table = await serve(...args);
    try {
      const page = await look(table, how);
      await run(page, table);
      assert.deepEqual(page.complaints, []);
    } finally {
      table.stop();
    }
  });
}

/** Chooses something by a click: what is wished for in the list, else on the board where there is a place for it. */
async function click(page, throwDie, wish = "^$") {
  await settled(page);
  const { spots, listed, wished } = await page.evaluate(
    ([offered, wish]) => {
      const middle = (spot) => {
        const { x, y, width, height } = spot.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      };
      const words = [...document.querySelectorAll(offered)].map((button) => button.textContent);
      const wished = words.flatMap((text, place) => (new RegExp(wish).test(text) ? [place] : []));
      return { spots: [...document.querySelectorAll(".spot.open, .spot.piece:not(.never)")].map(middle), listed: words.length, wished };
    },
    [offered, wish],
  );
  const nowhere = listed > spots.length || spots.length === 0;
  const spot = spots[throwDie(spots.length)];
  await goOn(page, () => {
    if (wished.length > 0) return page.click(`${offered} >> nth=${wished[throwDie(wished.length)]}`);
    if (spot !== undefined && !(nowhere && throwDie(5) === 0)) return page.mouse.click(spot.x, spot.y);
    return page.click(`${offered} >> nth=${throwDie(listed)}`);
  });
}

// Constables come where robbers of others are, and robbers where nobody keeps his figures for fields.
const roads = "^constable|^follower on road";

game("a whole game by clicks", [...MIX, "--seed", "3"], {}, async (page) => {
  const throwDie = dice(3);
  const [seen, shots] = [new Set(), new Set()];
  for (let choice = 0; ; choice += 1) {
    assert.ok(choice < 900, "the game ends");
    if ((await page.textContent("#choices h2")).startsWith("The game is over")) break;
    for (const title of await page.$$eval(".offered .home", (homes) => homes.map((home) => home.textContent))) seen.add(title);
    seen.add((await page.textContent("#choices h2")).replace(/^\w+: /, ""));
    const title = await page.textContent("#choices h2");
    for (const [word, name] of [["Deploy", "deploying"], ["dragon goes", "dragon"], ["Capture", "tower"]]) {
      if (choice > 20 && title.includes(word) && !shots.has(name)) {
        shots.add(name);
        await shot(page, name);
      }
    }
    if (choice === 120) await shot(page, "middle");
    await click(page, throwDie, roads);
  }
  await shot(page, "end");
  const words = [...seen].join("\n");
  for (const wanted of ["The Constable", "The tower", "The faerie", "Where the dragon goes"]) assert.match(words, new RegExp(wanted, "i"));
  const points = await page.$$eval("#players .points", (all) => all.map((one) => parseInt(one.textContent, 10)));
  const ledger = await page.$$eval("#ledger li b", (all) => all.map((one) => parseInt(one.textContent, 10)));
  assert.equal(points.reduce((a, b) => a + b), ledger.reduce((a, b) => a + b), "every point has its line");
  await scan(page, "the end of the game");
});

game("a page that is loaded again in the middle of a decision", [...MIX, "--seed", "5"], {}, async (page) => {
  const throwDie = dice(5);
  while (!(await page.$(".offered button[data-answer^='deploy ']"))) await click(page, throwDie);
  const before = { at: await at(page), choices: await page.innerHTML("#choices"), board: await page.innerHTML("#table") };
  await page.reload();
  await page.waitForSelector("#choices h2");
  assert.equal(await at(page), before.at);
  assert.equal(await page.innerHTML("#table"), before.board);
  assert.deepEqual(await page.$$eval("#choices button", (all) => all.map((one) => one.textContent)).then((all) => all.length > 1), true);
  await goOn(page, () => page.click(offered));
});

test("rules that are loaded again in the middle of a decision", { timeout: PATIENCE }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "trencavel-page-"));
  // At once, so that nobody sees half of it.
  const script = (text) => {
    writeFileSync(join(folder, "next.lua"), text);
    renameSync(join(folder, "next.lua"), join(folder, "fan/rules.lua"));
  };
  mkdirSync(join(folder, "fan"));
  writeFileSync(join(folder, "fan/expansion.toml"), 'id = "fan"\nversion = "1.0.0"\napi = "1"\ntitle = "Fan"\nrequires = { base = "1" }\n');
  script('rules.mark "gate" { on = "road" }\n');
  const table = await serve("--with", "fan", "--path", folder, "--watch", "--seed", "4");
  try {
    const page = await look(table);
    await goOn(page, () => page.click(offered));
    const before = await at(page);
    assert.ok(await page.$(".offered button[data-answer='deploy follower road']"));
    script('rules.forbid "tired" { on = "deploy", feature = "rode", say = "the thieves are tired" }\n');
    await page.waitForSelector("#console .error");
    assert.match(await page.textContent("#console .error"), /fan\/rules\.lua:1/);
    assert.equal(await at(page), before);
    assert.ok(await page.$(".offered button[data-answer='deploy follower road']"), "the old rules");
    await scan(page, "a console with an error");
    await shot(page, "console");
    script('rules.forbid "tired" { on = "deploy", feature = "road", say = "the thieves are tired" }\n');
    await page.waitForSelector("#console .error", { state: "detached" });
    assert.equal(await at(page), before, "the same decision");
    const refused = page.locator(".refused button[data-key='deploy follower road']");
    await refused.hover();
    assert.match(await page.locator(".why:visible").textContent(), /the thieves are tired Fan fan:tired, .*fan\/rules\.lua:1/);
    assert.deepEqual(page.complaints, []);
  } finally {
    table.stop();
    rmSync(folder, { recursive: true });
  }
});

game("two tabs stay in step", [...MIX, "--seed", "7"], {}, async (one, table) => {
  const two = await tab(table, one.context());
  const throwDie = dice(7);
  for (const page of [one, two, one, two, two, one]) {
    await click(page, throwDie);
    const number = await at(page);
    await Promise.all([one, two].map((other) => stands(other, number)));
    const [first, second] = await Promise.all([one, two].map((other) => other.innerHTML("#table")));
    assert.equal(first, second);
  }
  const stale = await one.evaluate(async () => {
    const body = JSON.stringify({ do: "answer", text: "pass", at: 0 });
    const answer = await fetch("/do", { method: "POST", body });
    return [answer.status, await answer.text()];
  });
  assert.deepEqual(stale, [409, "the game went on meanwhile"]);
  one.complaints = one.complaints.filter((complaint) => !complaint.includes("409"));
  assert.deepEqual(two.complaints, []);
});

game("the keyboard is enough", [...MIX, "--seed", "9"], {}, async (page) => {
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = () => page.evaluate(() => document.activeElement.closest(".spot, button, #view, h2, a")?.outerHTML.slice(0, 200) ?? "nothing");
  await press("Tab");
  assert.match(await focused(), /class="skip"/);
  // The board is reached by Tab, its spots by arrows.
  for (let tabs = 0; !(await focused()).includes('id="view"'); tabs += 1) {
    assert.ok(tabs < 40, await focused());
    await press("Tab");
  }
  for (let turn = 0; turn < 4; turn += 1) {
    await press("ArrowRight");
    assert.match(await focused(), /class="spot/);
    await shot(page, "keyboard");
    if (await page.$("#in-hand")) {
      const before = await page.textContent("#turned");
      await press("r");
      assert.notEqual(await page.textContent("#turned"), before);
      await press("Shift+R");
      assert.equal(await page.textContent("#turned"), before);
      // Enter turns the tile where it would fit turned, and places it where it fits.
      const isOn = async (word) => new RegExp(`class="[^"]*\\b${word}\\b`).test(await focused());
      for (let tries = 0; !(await isOn("open")); tries += 1) {
        assert.ok(tries < 12, await focused());
        await press((await isOn("later")) ? "Enter" : ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][tries % 4]);
      }
      await goOn(page, () => press("Enter"));
      assert.match(await focused(), /class="spot|id="view"/, "the focus stays on the board");
    }
    // The figure is passed over in the list.
    if (!(await page.$("#in-hand"))) {
      await press("Escape");
      assert.match(await focused(), /^<h2/);
      for (let tabs = 0; !/>pass</.test(await focused()); tabs += 1) {
        assert.ok(tabs < 40, await focused());
        await press("Tab");
      }
      await goOn(page, () => press("Enter"));
      assert.match(await focused(), /^<h2/, "the focus goes to the next decision");
      for (let tabs = 0; !/class="spot|id="view"/.test(await focused()); tabs += 1) {
        assert.ok(tabs < 80, await focused());
        await press("Shift+Tab");
      }
    }
  }
  assert.match(await page.textContent("#said"), /pass\..*(Ann|Bob): Place the tile\./s, "changes are announced");
  const number = await at(page);
  await goOn(page, () => press("Control+z"));
  await goOn(page, () => press("Control+y"));
  assert.equal(await at(page), number);
});

game("undo, branches, history, save and load", [...MIX, "--seed", "11"], {}, async (page) => {
  const throwDie = dice(11);
  for (let choice = 0; choice < 12; choice += 1) await click(page, throwDie);
  const end = await at(page);
  const board = await page.innerHTML("#table");
  const download = page.waitForEvent("download");
  await page.click("text=Save");
  const file = await (await download).path();
  assert.match(readFileSync(file, "utf8"), /^trencavel-replay 1\n/);
  for (let back = 0; back < 5; back += 1) await goOn(page, () => page.click("text=Undo"));
  const middle = await at(page);
  await goOn(page, () => page.click(`${offered} >> nth=-1`));
  assert.ok(await page.$(".branches button"), "the other branch is kept");
  await shot(page, "branches");
  await page.click(`#history [data-go="${middle}"]`);
  await stands(page, middle);
  for (let forth = 0; forth < 5; forth += 1) {
    await goOn(page, () => page.click(".branches >> nth=0 >> button >> nth=0"));
  }
  assert.equal(await at(page), end);
  assert.equal(await page.innerHTML("#table"), board);
  await page.click(`#history [data-go="0"]`);
  await stands(page, "0");
  await page.setInputFiles("#load", file);
  await page.waitForFunction((board) => document.querySelector("#table").innerHTML === board, board);
  await page.setInputFiles("#load", { name: "no.replay", mimeType: "text/plain", buffer: Buffer.from("no save") });
  await page.waitForFunction(() => document.querySelector("#oops").textContent.includes("a save begins with"));
  assert.equal(await page.innerHTML("#table"), board);
  page.complaints = page.complaints.filter((complaint) => !complaint.includes("409"));
});

game("what is shown of choices, points, tiles and bots", [...MIX, "--seed", "3"], {}, async (page) => {
  const throwDie = dice(13);
  while (!(await page.$(".spot.space.never")) || !(await page.$(".spot.later"))) await click(page, throwDie);
  await page.hover(".spot.space.never");
  assert.match(await page.textContent("#tip"), /the tile does not fit.*side [NESW] at .* shows/s);
  await page.hover(".spot.open");
  assert.equal(await page.$$eval("#ghost > g", (ghosts) => ghosts.length), 1, "the tile in hand is shown where it would lie");
  const turned = await page.textContent("#turned");
  await page.click(".spot.later");
  assert.notEqual(await page.textContent("#turned"), turned, "a click turns the tile to where it fits");
  await page.click("#show-odds");
  const odds = await page.$$eval("#odds text", (all) => all.map((one) => one.textContent));
  assert.ok(odds.length > 3 && odds.every((one) => /^\d of|\d+ of \d+ remaining tiles fit\d+%$/.test(one)), odds.join("; "));
  await shot(page, "odds");
  await page.click("summary:has-text('Remaining tiles')");
  assert.match(await page.textContent("#tiles"), /^\s*\d+ to draw/);
  await shot(page, "tiles");
  while (!(await page.$("#ledger li[data-spaces]"))) await click(page, throwDie);
  await page.hover("#ledger li[data-spaces]");
  const lit = await page.$$eval("#glow rect", (rects) => rects.length);
  assert.equal(lit, (await page.getAttribute("#ledger li[data-spaces]", "data-spaces")).split(" ").length);
  await shot(page, "ledger");
  while (!(await page.$("#in-hand"))) await click(page, throwDie);
  await page.click("summary:has-text('Seats')");
  const answers = await page.$$eval("#history ol > li", (all) => all.length);
  await page.selectOption("[data-sit='1']", "random");
  await page.selectOption("[data-sit='0']", "random");
  await page.waitForFunction((answers) => document.querySelectorAll("#history ol > li").length > answers + 5, answers);
  await page.selectOption("[data-sit='0']", "greedy");
  await page.waitForSelector("#players .home >> text=greedy");
  await page.click("text=Bots off");
  await page.waitForSelector(".waiting");
  await page.selectOption("[data-sit='0']", "person");
  await page.selectOption("[data-sit='1']", "person");
  await page.waitForSelector(offered);
  await goOn(page, () => page.click("text=Undo"));
});

game("the board is moved and enlarged", [...MIX, "--seed", "3"], {}, async (page) => {
  const seen = () => page.getAttribute("#view", "viewBox");
  const [number, whole] = [await at(page), await seen()];
  const { x, y, width, height } = await (await page.$(".spot.open")).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 90, y + height / 2 + 40, { steps: 4 });
  await page.mouse.up();
  const moved = await seen();
  assert.notEqual(moved, whole);
  assert.equal(await at(page), number, "what was dragged was not pressed");
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((before) => document.querySelector("#view").getAttribute("viewBox") !== before, moved);
  await page.click("[aria-label='Show the whole board']");
  assert.equal(await seen(), whole);
  await page.focus("#view");
  for (const key of ["+", "Shift+ArrowLeft", "-"]) {
    const before = await seen();
    await page.keyboard.press(key);
    assert.notEqual(await seen(), before, key);
  }
  await page.keyboard.press("0");
  assert.equal(await seen(), whole);
});

const THEMES = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

for (const [theme, how] of Object.entries(THEMES)) {
  for (const [size, screen, mix] of [["desk", {}, MIX], ["phone", PHONE, ["examples/kitchen-sink.toml", "--bots", "0"]]]) {
    game(`readable for everybody: ${theme}, ${size}`, [...mix, "--seed", "21"], { ...how, ...screen }, async (page) => {
      const throwDie = dice(21);
      const done = { placing: false, deploying: false };
      for (let choice = 0; choice < 34 || !(done.placing && done.deploying); choice += 1) {
        const kind = (await page.$("#in-hand")) ? "placing" : "deploying";
        const refused = kind === "placing" || (await page.$(".refused button")) !== null;
        if (choice >= 24 && refused && !done[kind]) {
          for (const details of await page.$$("details:not([open]) > summary")) await details.click();
          await scan(page, `${theme} ${size} ${kind}`);
          if (size === "desk") await page.focus(".refused li:not([hidden]) button").catch(() => {});
          await page.evaluate(() => window.scrollTo(0, 0));
          await shot(page, `${theme}-${size}-${kind}`);
          if (size === "phone") await shot(page, `${theme}-${size}-${kind}-whole`, true);
          done[kind] = true;
        }
        if (size === "desk") await click(page, throwDie);
        else {
          const listed = await page.locator(offered).count();
          await goOn(page, () => page.tap(`${offered} >> nth=${throwDie(listed)}`));
        }
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} too wide`);
    });
  }
}
