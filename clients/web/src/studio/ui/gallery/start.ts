// The world for somebody who finds none: a flag in the wind, a soft ball and a cloth about to fall, on the ground. All of it
// stays in view: the wind would roll the ball away, so the ball feels none, and it falls from where it does not bounce far.
import type {App} from '../../model/app.js';
import type {Outcome} from '../../model/outcome.js';
import {freeName} from '../names.js';
import {addPiece} from './add.js';
import {OBSTACLES, PIECES} from './pieces.js';
import type {Values} from '../forms/binding.js';

const SCENE: readonly {readonly piece: string; readonly values: Values}[] = [
  {piece: 'flag', values: {name: 'flag', position: [-1.4, 1.5, -0.5], wind: 4}},
  {piece: 'tablecloth', values: {name: 'tablecloth', position: [0.9, 1.05, 0], width: 1.5, density: 0.4, friction: 1}},
  {
    piece: 'soft-ball',
    values: {name: 'ball', position: [-0.8, 0.5, 0.9], radius: 0.3, wind: {drag: 0, lift: 0}},
  },
];

// Chosen by measurement (docs/measurements/stiff.md): its ball and the layers on the table need 20 substeps, and its cloths
// bend as well if bending is swept.
const SETTINGS = {substeps: 20, long_edges: true, bending: 'swept'} as const;

export async function startScene(app: App): Promise<Outcome<unknown>> {
  const taken = app.worlds.list.peek().map((world) => world.name);
  const world = await app.worlds.create({...SETTINGS, name: freeName('first', taken)});
  if (!world.ok) return world;
  await app.open(world.result.name);
  const ground = OBSTACLES[0];
  let done: Outcome<unknown> = await app.commands.addCollider({
    kind: 'plane',
    name: 'ground',
    ...ground?.values,
  });
  for (const {piece: id, values} of SCENE) {
    const piece = PIECES.find((one) => one.id === id);
    if (!done.ok || !piece) return done;
    const all = {...piece.material, ...values};
    done = await addPiece(app, piece, piece.make(all), all);
  }
  app.selection.clear();
  app.view?.focus('all');
  return done.ok ? app.commands.play(1) : done;
}
