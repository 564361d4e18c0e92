// Worlds for tests, made by a peer.
import {numbers} from './peer.mjs';

let count = 0;

// A world with a cloth that hangs by its upper corners, and a ground.
export async function makeWorld(peer, {side = 9, name = `test-${++count}`, play = true} = {}) {
  await peer.call('world.create', {name, substeps: 8, damping: 0.5, sleep: false});
  const positions = [];
  const triangles = [];
  for (let row = 0; row < side; ++row) {
    for (let column = 0; column < side; ++column) {
      positions.push(column / (side - 1) - 0.5, 1.6 - row / (side - 1), 0);
      if (row === side - 1 || column === side - 1) continue;
      const a = row * side + column;
      triangles.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
    }
  }
  const added = await peer.call('body.add', {
    world: name,
    name: 'sheet',
    kind: 'cloth',
    positions,
    triangles,
    density: 0.2,
    stretch: {compliance: 1e-6},
    bend: {compliance: 100},
    pins: [0, side - 1],
  });
  await peer.call('collider.add', {world: name, name: 'ground', kind: 'plane'});
  if (play) await peer.call('world.play', {world: name});
  return {name, body: added.body, side};
}

export async function positionsOf(peer, world, body) {
  const state = await peer.call('body.state', {world, body, fields: ['positions']});
  return numbers(state.positions);
}
