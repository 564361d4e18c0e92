// Bodies that carry a surface finer than what is solved.
import assert from 'node:assert/strict';

import {numbers, Peer} from '../peer.mjs';
import {eventually, keepPicture, lookFrom, open, pictureChange, placeOf, server, test, until} from '../rig.mjs';

// A cube of one cell, cut into six tetrahedra along its diagonal, with a ball inside that it carries.
function ballInCube(rings = 10) {
  const corner = (i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1];
  const orders = [[1, 2, 4], [2, 4, 1], [4, 1, 2], [1, 4, 2], [2, 1, 4], [4, 2, 1]];
  const tets = orders.map(([a, b], i) => (i < 3 ? [0, a, a | b, 7] : [a, 0, a | b, 7]));
  const particles = [];
  const weights = [];
  const triangles = [];
  const carry = (x, y, z) => {
    // In the tetrahedron 0, a, a | b, 7 whose axes fall in this order, the weights are the steps between them.
    const axes = [[x, 1], [y, 2], [z, 4]].sort((one, other) => other[0] - one[0]);
    const [[p, a], [q, b], [r]] = axes;
    particles.push(0, a, a | b, 7);
    weights.push(1 - p, p - q, q - r, r);
  };
  for (let ring = 0; ring <= rings; ++ring) {
    for (let side = 0; side < 2 * rings; ++side) {
      const [up, round] = [(Math.PI * ring) / rings, (Math.PI * side) / rings];
      carry(
        0.5 + 0.4 * Math.sin(up) * Math.cos(round),
        0.5 + 0.4 * Math.cos(up),
        0.5 - 0.4 * Math.sin(up) * Math.sin(round),
      );
      if (ring === rings) continue;
      const [a, b] = [ring * 2 * rings + side, ring * 2 * rings + ((side + 1) % (2 * rings))];
      triangles.push(a, a + 2 * rings, b, b, a + 2 * rings, b + 2 * rings);
    }
  }
  const corners = Array.from({length: 8}, (_, i) => corner(i));
  const positions = corners.flatMap(([x, y, z]) => [x - 0.5, y + 0.2, z - 0.5]);
  return {positions, tets: tets.flat(), skin: {particles, weights, triangles}};
}

test('a skin is drawn where the server has it, instead of what carries it, and can be pulled', async () => {
  const peer = await Peer.connect(server.url);
  const name = 'skinned';
  await peer.call('world.create', {name, substeps: 8});
  const made = await peer.call('body.add', {
    world: name,
    kind: 'soft',
    ...ballInCube(),
    density: 100,
    stretch: {compliance: 1e-3},
  });
  const page = await open(name);
  await lookFrom(page, [0, 0.7, 3], [0, 0.7, 0]);
  await peer.call('collider.add', {world: name, kind: 'plane'});
  await peer.call('world.step', {world: name, ticks: 30});
  const {skin} = await peer.call('body.state', {world: name, body: made.body, fields: ['skin']});
  const wanted = numbers(skin);
  assert.equal(wanted.length, 3 * 11 * 20);
  // Drawn vertices are in another order, and those on a crease stand there twice.
  const off = () =>
    page.evaluate(
      ([id, all]) => {
        const drawn = window.weft.view.surface(id) ?? [];
        const far = (a, b) => {
          let most = 0;
          for (let i = 0; i < a.length; i += 3) {
            let least = Infinity;
            for (let j = 0; j < b.length; j += 3)
              least = Math.min(least, Math.hypot(a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]));
            most = Math.max(most, least);
          }
          return most;
        };
        return drawn.length === 0 ? 9 : Math.max(far(drawn, all), far(all, drawn));
      },
      [made.body, wanted],
    );
  await eventually(off, (worst) => worst < 1e-5, 'each vertex is where the server has it');

  // What carries it is shown when it is asked for.
  await keepPicture(page);
  await page.keyboard.press('v');
  await page.getByRole('switch', {name: 'Lattice inside skins'}).click();
  await eventually(() => pictureChange(page), (share) => share > 0.002, 'its lattice is drawn');
  await page.keyboard.press('Escape');

  // The corner of the cube is beside the ball: nothing is there to pull. The ball's middle is.
  const corner = await placeOf(page, [0.46, 1.0, 0.5]);
  const middle = await placeOf(page, [0.1, 0.62, 0.35]);
  await page.keyboard.press('2');
  await page.getByRole('radio', {name: 'Particles'}).click();
  await page.mouse.click(corner.x, corner.y);
  assert.equal(await page.evaluate(() => window.weft.selection.particleCount.value), 0);
  await page.mouse.click(middle.x, middle.y);
  await until(page, () => window.weft.selection.particleCount.value === 1);
  const [particle] = await page.evaluate(
    (id) => [...window.weft.selection.selected.value.particles.get(id)],
    made.body,
  );
  // One of the side that is seen.
  assert.ok(particle >= 4, `particle ${particle}`);
  peer.close();
});

test('moved, scaled, doubled or put back, a body keeps its skin and its look', async () => {
  const peer = await Peer.connect(server.url);
  const name = 'dressed';
  await peer.call('world.create', {name});
  const ball = ballInCube(4);
  const count = ball.skin.triangles.length / 3;
  const look = {
    uvs: Array.from({length: 6 * count}, (_, i) => (i % 7) / 8),
    normals: Array.from({length: 9 * count}, (_, i) => (i % 3 === 0 ? 1 : 0)),
    materials: [{name: 'red', color: [1, 0, 0, 1]}, {name: 'blue', color: [0, 0, 1, 1]}],
    triangle_materials: Array.from({length: count}, (_, i) => i % 2),
  };
  const {body} = await peer.call('body.add', {world: name, name: 'ball', kind: 'soft', ...ball, density: 100, look});
  const dressOf = async (id) => {
    const {skin, look: dress} = await peer.call('body.get', {world: name, body: id});
    const plain = (fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [
          key,
          ArrayBuffer.isView(value) || typeof value?.[0] === 'number' ? [...numbers(value)] : value,
        ]),
      );
    return [plain(skin), plain(dress)];
  };
  const wanted = await dressOf(body);
  assert.equal(wanted[1].triangle_materials.length, count);
  const page = await open(name);
  const select = (id) => page.evaluate((one) => window.weft.selection.select([{kind: 'body', body: one}]), id);
  const ids = async () => (await peer.call('world.join', {world: name})).bodies.map(({body: id}) => id);

  await page.evaluate((id) => window.weft.bodies.shapeOf(id).then(({result}) =>
    window.weft.bodies.place(id, result.positions, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1])), body);
  assert.deepEqual(await dressOf(body), wanted, 'moved');
  await select(body);
  await page.getByRole('button', {name: 'Duplicate'}).click();
  const [, twin] = await eventually(ids, (all) => all.length === 2, 'it is doubled');
  assert.deepEqual(await dressOf(twin), wanted, 'doubled');
  const large = await page.evaluate(
    (id) => window.weft.bodies.remake(id, [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]),
    body,
  );
  assert.deepEqual(await dressOf(large.result.body), wanted, 'scaled');
  await select(twin);
  await page.keyboard.press('Delete');
  await page.locator('.toast', {hasText: 'Removed'}).waitFor();
  await eventually(ids, ({length}) => length === 1, 'it is gone');
  await page.keyboard.press('Control+z');
  const [, back] = await eventually(ids, (all) => all.length === 2, 'it is back');
  assert.deepEqual(await dressOf(back), wanted, 'put back');
  peer.close();
});
