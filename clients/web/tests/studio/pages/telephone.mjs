// A narrow page and a finger.
import {Peer} from '../peer.mjs';
import {asciiPly} from '../meshes.mjs';
import {eventually, give, makeWorld, open, paused, played, server, swipe, TELEPHONE, test, until} from '../rig.mjs';

const {width: WIDTH, height: HEIGHT} = TELEPHONE.viewport;
const isIn = (box) => box !== null && box.x >= 0 && box.x + box.width <= WIDTH && box.y >= 0 && box.y + box.height <= HEIGHT;
// Where the page puts them, once it has put them well.
const boxesOf = (where, wanted, what) =>
  eventually(
    () =>
      where.evaluateAll((all) =>
        all.map((one) => {
          const {x, y, width, height} = one.getBoundingClientRect();
          return width > 0 && height > 0 ? {x, y, width, height} : null;
        }),
      ),
    (boxes) => boxes.length > 0 && wanted(boxes),
    what,
  );
const nothingIsWider = (page) =>
  eventually(
    () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    (over) => over === 0,
    'nothing is wider than the page',
  );

test('a telephone: everything is in reach of a finger', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer);
  const page = await open(name, {context: TELEPHONE});
  await nothingIsWider(page);
  await boxesOf(
    page.locator('.dock button:visible, .top button:visible'),
    (boxes) => boxes.length >= 8 && boxes.every((box) => isIn(box) && box.height >= 36 && box.width >= 30),
    'each button is on the page, and large enough to touch',
  );
  await page.getByRole('button', {name: 'Pause'}).tap();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).state,
    (state) => state === 'paused',
    'a tap pauses',
  );
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.evaluate(() => (window.weft.viewState.tool.value = 'click'));
  await boxesOf(
    page.locator('.selection-bar button:visible'),
    (boxes) => boxes.every((box) => isIn(box) && box.width >= 30),
    'what is done with it is on the page',
  );
  await page.evaluate(() => (window.weft.viewState.tool.value = 'grab'));
  await page.getByRole('button', {name: 'Edit'}).tap();
  const sheet = page.getByRole('complementary', {name: 'Inspector'});
  await sheet.waitFor();
  await boxesOf(sheet, ([box]) => isIn(box) && box.y > 300 && box.y + box.height < HEIGHT, 'the sheet is on the page, below');
  await nothingIsWider(page);
  await sheet.getByRole('button', {name: 'Close'}).tap();
  await page.getByRole('button', {name: 'New'}).tap();
  await page.getByRole('option', {name: 'Flag'}).tap();
  await nothingIsWider(page);
  await page.getByRole('button', {name: 'Add', exact: true}).tap();
  await eventually(
    async () => (await peer.call('world.get', {world: name})).bodies,
    (bodies) => bodies === 2,
    'the flag is there',
  );
  peer.close();
});

test('the narrowest telephone: a finger plays, pauses, goes along the time, adds and undoes, and two go nearer', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: {...TELEPHONE, viewport: {width: 360, height: 740}}});
  const tap = (button) => page.getByRole('button', {name: button, exact: true}).tap();
  await page.getByRole('timer', {name: 'World time'}).getByText('0:00.0').waitFor();
  await allInReach(page, 'the bars');
  await nothingIsWider(page);
  await tap('Play');
  await played(peer, name, 60);
  await tap('Pause');
  const tick = await paused(peer, name);
  await page.getByRole('timer', {name: 'World time'}).getByText(tick.toLocaleString('en-US'), {exact: true}).waitFor();

  // Along the time, and back.
  await tap('More');
  await page.getByRole('dialog', {name: 'More'}).getByRole('button', {name: 'Timeline'}).tap();
  const line = page.getByRole('slider', {name: 'Time of the world'});
  await until(page, () => window.weft.past.log.value?.known.value);
  const {x, y, width, height} = await line.boundingBox();
  const along = Array.from({length: 8}, (_, i) => ({x: x + width * (0.9 - 0.05 * i), y: y + height / 2}));
  await swipe(page, along);
  await until(page, (now) => window.weft.past.shown.value && window.weft.document.tick.value < 0.7 * now, tick);
  await page.getByRole('region', {name: 'Timeline'}).getByRole('button', {name: 'Back to now'}).tap();
  await until(page, () => window.weft.document.viewOf.value === 0 && window.weft.document.phase.value === 'joined');
  await page.getByRole('region', {name: 'Timeline'}).getByRole('button', {name: /^Close/}).tap();

  // An edit, and its undoing.
  await tap('New');
  await page.getByRole('option', {name: 'Flag', exact: true}).tap();
  await tap('Add');
  const there = () => peer.call('world.get', {world: name});
  await eventually(there, ({bodies, wind}) => bodies === 2 && wind.velocity[0] > 0, 'the flag is there, and its wind');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await tap('Undo');
  await eventually(there, ({bodies, wind}) => bodies === 1 && wind.velocity[0] === 0, 'a tap undoes both');

  // Two fingers apart.
  await until(page, (id) => window.weft.view.drawn(id)?.length > 0, body);
  const away = () =>
    page.evaluate(() => {
      const {position, target} = window.weft.viewState.camera.value;
      return Math.hypot(...position.map((x, i) => x - target[i]));
    });
  const before = await away();
  const finger = (by) => Array.from({length: 6}, (_, i) => ({x: 180 + by * (30 + 12 * i), y: 180}));
  await swipe(page, finger(-1), finger(1));
  await eventually(away, (now) => now < 0.8 * before, 'two fingers go nearer');
  peer.close();
});

test('a telephone: handles, legends, views and files fit', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: TELEPHONE});
  const fits = (where, what) => boxesOf(where, (boxes) => boxes.every(isIn), `${what} is on the page`);
  await page.evaluate(() => (window.weft.viewState.overlays.constraints.value = 'strain'));
  await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
  await page.evaluate(() => (window.weft.viewState.tool.value = 'click'));
  const legend = page.getByRole('group', {name: 'Colours of the strain'});
  const bar = page.getByRole('toolbar', {name: 'Selection'});
  await fits(legend, 'the legend');
  await fits(bar, 'the bar');
  await eventually(
    () => Promise.all([legend.boundingBox(), bar.boundingBox()]),
    ([above, below]) => above !== null && below !== null && above.y + above.height <= below.y,
    'the legend is above the bar',
  );
  await boxesOf(
    page.getByRole('radiogroup', {name: 'Handle'}).getByRole('radio'),
    (boxes) => boxes.every((box) => isIn(box) && box.height >= 24),
    'handles are on the page',
  );
  await page.getByRole('button', {name: 'View options'}).tap();
  const menu = page.getByRole('dialog', {name: 'View options'});
  await menu.waitFor();
  await fits(menu, 'what is shown');
  await menu.getByRole('button', {name: 'Top'}).scrollIntoViewIfNeeded();
  await fits(menu.getByRole('button', {name: 'Top'}), 'a view');
  await page.keyboard.press('Escape');
  await give(page, [['cube.ply', asciiPly()]]);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByRole('radio', {name: 'Soft'}).tap();
  await dialog.getByText(/^Filled with/).waitFor();
  await fits(dialog, 'the dialog');
  await fits(dialog.getByRole('button', {name: 'Add as soft body'}), 'what adds it');
  await nothingIsWider(page);
  peer.close();
});

// What can be pressed and is off the page, covered by something else, or too small to be hit.
function outOfReach(page) {
  return page.evaluate(() => {
    const wrong = [];
    const rolls = (element) => {
      for (let one = element.parentElement; one; one = one.parentElement)
        if (one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY))
          return true;
      return false;
    };
    for (const element of document.querySelectorAll('button, input, select, [role="treeitem"]')) {
      if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
      const {left, top, right, bottom, width, height} = element.getBoundingClientRect();
      const name = `${element.ariaLabel ?? element.textContent} ${Math.round(left)},${Math.round(top)}`;
      if (width < 24 || height < 24) wrong.push(`small: ${name}, ${width} × ${height}`);
      // What is rolled away can be rolled back.
      if (rolls(element)) continue;
      if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) wrong.push(`off the page: ${name}`);
      else if (!element.disabled) {
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (!element.contains(there) && !there?.contains(element)) wrong.push(`covered: ${name}`);
      }
    }
    return wrong;
  });
}

const allInReach = (page, what) =>
  eventually(() => outOfReach(page), (wrong) => wrong.length === 0, `${what}: all is in reach`);

for (const [how, width, height] of [
  ['upright', 390, 844],
  ['on its side', 844, 390],
  ['a page enlarged to twice its size', 640, 400],
]) {
  test(`a telephone, ${how}: no sheet covers what is done with a thing, or time`, async () => {
    const peer = await Peer.connect(server.url);
    const {name, body} = await makeWorld(peer, {play: false});
    const page = await open(name, {
      context: {viewport: {width, height}, hasTouch: true, isMobile: true, deviceScaleFactor: 1},
    });
    await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
    await page.evaluate(() => (window.weft.viewState.tool.value = 'click'));
    await page.evaluate(() => (window.weft.viewState.overlays.constraints.value = 'strain'));
    await page.keyboard.press(']');
    await until(page, () => window.weft.scrubber.count.value > 0);
    await page.getByRole('radiogroup', {name: 'Handle'}).waitFor();
    await allInReach(page, 'without a sheet');
    for (const sheet of ['Outline', 'World settings', 'Plots', 'Statistics']) {
      await page.getByRole('button', {name: 'More'}).tap();
      await page.getByRole('dialog', {name: 'More'}).getByRole('button', {name: sheet, exact: true}).tap();
      await page.locator('.side, .plots, .statistics').waitFor();
      await allInReach(page, sheet);
      await page.keyboard.press('Escape');
      if (sheet === 'World settings')
        await page.evaluate((id) => window.weft.selection.select([{kind: 'body', body: id}]), body);
    }
    await nothingIsWider(page);
    peer.close();
  });
}

test('statistics, plots and the outline leave one another their places', async () => {
  const peer = await Peer.connect(server.url);
  const {name} = await makeWorld(peer, {play: false});
  const page = await open(name);
  for (const key of ['o', 'y', 'm']) await page.keyboard.press(key);
  await page.getByRole('complementary', {name: 'Statistics'}).waitFor();
  await page.getByRole('button', {name: 'Energy on a log scale'}).waitFor();
  await allInReach(page, 'all three');
  peer.close();
});
