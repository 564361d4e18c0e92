// A narrow page and a finger.
import {Peer} from '../peer.mjs';
import {asciiPly} from '../meshes.mjs';
import {eventually, give, makeWorld, open, server, TELEPHONE, test, until} from '../rig.mjs';

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

test('the narrowest telephone has the clock and undo', async () => {
  const peer = await Peer.connect(server.url);
  const {name, body} = await makeWorld(peer, {play: false});
  const page = await open(name, {context: {...TELEPHONE, viewport: {width: 360, height: 740}}});
  const clock = page.getByRole('timer', {name: 'World time'});
  await peer.call('world.step', {world: name, ticks: 120});
  await clock.getByText('0:02.0').waitFor();
  await allInReach(page, 'the bars');
  await nothingIsWider(page);
  await page.evaluate((id) => window.weft.commands.setBody(id, {name: 'flag'}), body);
  await page.getByRole('button', {name: 'Undo', exact: true}).tap();
  await eventually(
    async () => (await peer.call('body.get', {world: name, body})).name,
    (now) => now === 'sheet',
    'a tap undoes',
  );
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
