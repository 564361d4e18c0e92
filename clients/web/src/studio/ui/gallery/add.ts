// Adds what the gallery made to the world: the body, and what belongs to it.
import {METHODS, type RigidInput} from '../../../lib/index.js';
import type {App} from '../../model/app.js';
import type {Outcome} from '../../model/outcome.js';
import type {Vec3} from '../../model/values.js';
import {plainWords} from '../errors.js';
import type {Values} from '../forms/binding.js';
import {freeName} from '../names.js';
import type {Mesh} from './mesh.js';
import type {Made, Piece} from './pieces.js';
import {extentOf, wayOut, type Extent} from './place.js';

// The fields of a form that go to body.add; the others made the mesh. With a Young's modulus the body is a solid, which has no
// edges and volumes; without one it has both. A rod has no edges either. A fabric has no compliance, and nothing else has a warp.
export function bodyFields(form: Values): Values {
  const {compliance, stiffness, model, damping, limit, ...yarns} = (form['stretch'] ?? {}) as Values;
  const ways = model === 'orthotropic' ? {model, ...yarns} : {compliance, stiffness};
  const given = Object.entries({...ways, damping, limit}).filter(([, value]) => value !== undefined);
  const {warp, weft, bias, ...bend} = (form['bend'] ?? {}) as Values;
  const values: Values = {
    ...form,
    ...(form['stretch'] ? {stretch: Object.fromEntries(given)} : {}),
    ...(form['bend'] && model !== 'orthotropic' ? {bend} : {}),
  };
  const solid = values['solid'] as Values | undefined;
  const rod = values['rod'] as Values | undefined;
  const left = [
    ...(typeof solid?.['young'] === 'number' ? ['stretch', 'volume'] : ['solid']),
    ...(typeof rod?.['young'] === 'number' ? ['stretch'] : ['rod']),
  ];
  const known = new Set(METHODS['body.add'].params.map((field) => field.name));
  const own = new Set(['positions', 'triangles', 'edges', 'tets', 'pins', 'kind', 'world']);
  // The number that the flag calls its wind is a speed, for the world.
  const speed = (name: string, value: unknown) => name === 'wind' && typeof value === 'number';
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        known.has(name) && !own.has(name) && !left.includes(name) && value !== undefined && !speed(name, value),
    ),
  );
}

// Mean side of its elements, m; 0 where it has none.
export function meanSide({positions, triangles, edges, tets}: Mesh): number {
  const [elements, corners] = tets ? [tets, 4] : triangles ? [triangles, 3] : [edges ?? [], 2];
  let [sum, sides] = [0, 0];
  for (let e = 0; e + corners <= elements.length; e += corners)
    for (let i = 1; i < corners; i++, sides++) {
      const [a, b] = [3 * elements[e]!, 3 * elements[e + i]!];
      sum += Math.hypot(...[0, 1, 2].map((axis) => positions[a + axis]! - positions[b + axis]!));
    }
  return sides > 0 ? sum / sides : 0;
}

// Finer cells need a thinner body: what is as thick as its edges are long costs contact much more than it gives. A
// thickness that somebody chose stays.
function thicknessFor(piece: Piece, mesh: Mesh, values: Values): Values {
  const given = Number(piece.material['thickness']);
  const side = meanSide(mesh);
  return values['thickness'] === given && side > 0 ? {thickness: Math.min(given, 0.2 * side)} : {};
}

// Counts the pieces that were added, to name a gesture for each.
let pieces = 0;

// A body that was added is selected. Ends at the first refusal; what was added before it stays.
export async function addPiece(
  app: App,
  piece: Piece,
  made: Made,
  values: Values,
): Promise<Outcome<unknown>> {
  const {mesh, pins, clamps, rigid} = made;
  const given = bodyFields(values);
  const gesture = `add ${++pieces}`;
  const fields = {
    gesture,
    ...given,
    ...thicknessFor(piece, mesh, values),
    kind: piece.kind,
    positions: mesh.positions,
    ...(mesh.triangles ? {triangles: mesh.triangles} : {}),
    ...(mesh.edges ? {edges: mesh.edges} : {}),
    ...(mesh.tets ? {tets: mesh.tets} : {}),
    ...(pins && pins.length > 0 ? {pins} : {}),
    ...(clamps && clamps.length > 0 && given['rod'] ? {clamps} : {}),
    ...(rigid ? {rigid: rigid as unknown as RigidInput} : {}),
  };
  const added = await app.commands.addBody(fields);
  if (!added.ok) return added;
  for (const collider of made.colliders ?? []) {
    const done = await app.commands.addCollider({...collider, gesture} as Parameters<typeof app.commands.addCollider>[0]);
    if (!done.ok) return done;
  }
  const {wind} = app.document.settings.peek();
  const calm = wind.density === 0 || wind.velocity.every((part) => part === 0);
  if (made.wind && calm) {
    const done = await app.commands.setWorld({wind: made.wind, gesture});
    if (!done.ok) return done;
  }
  app.selection.select([{kind: 'body', body: added.result.body}]);
  tellFirst(app, added.result.warnings);
  return added;
}

function tellFirst(app: App, [warning]: readonly {readonly text: string}[]): void {
  if (warning) app.notices.info(plainWords(app, warning.text));
}

export function nameFor(app: App, piece: {readonly name: string}): string {
  return freeName(
    piece.name.toLowerCase(),
    [...app.document.bodies.peek().values()].map((body) => body.name),
  );
}

// `position` shifted so that what stands there, of that extent, stands in nothing else.
export function freePlace(app: App, position: Vec3, extent: Extent): Vec3 {
  const off = wayOut(extent, takenIn(app));
  return tidied([position[0] + off[0], position[1], position[2] + off[2]]);
}

// Where things are, and where bodies go back to with a reset.
export function takenIn(app: App): Extent[] {
  const starts = [...app.document.bodies.peek().values()].flatMap(({topology}) =>
    topology ? [extentOf(topology.rest)] : [],
  );
  return [...(app.view?.taken() ?? []), ...starts];
}

function tidied([x, y, z]: Vec3): Vec3 {
  const tidy = (value: number) => Number(value.toFixed(2)) + 0;
  return [tidy(x), tidy(y), tidy(z)];
}

// In front of the camera, at the height that the piece starts from. A camera that looks along the ground meets it far
// away; then it is below what the camera turns about.
export function placeFor(app: App, height: number): Vec3 {
  const {position, target} = app.viewState.camera.peek();
  const [x, ground, z] = app.view?.dropPoint() ?? [0, 0, 0];
  const reach = 0.6 * Math.hypot(...position.map((part, axis) => part - (target[axis] ?? 0)));
  const near = Math.hypot(x - target[0], z - target[2]) <= reach;
  return tidied([near ? x : target[0], height + Math.max(0, ground), near ? z : target[2]]);
}

export async function addObstacle(app: App, values: Values): Promise<Outcome<unknown>> {
  const added = await app.commands.addCollider(values as Parameters<typeof app.commands.addCollider>[0]);
  if (!added.ok) return added;
  app.selection.select([{kind: 'collider', collider: added.result.collider}]);
  tellFirst(app, added.result.warnings);
  return added;
}
