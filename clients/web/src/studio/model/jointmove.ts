// A joint with its anchors elsewhere. No edit moves an anchor: a joint like it is added there and the old one is removed, as
// one step of undo. The new joint has a new id, and counts its angle or place from where its sides are now.
import type {App} from './app.js';
import {jointRows, type Standing} from './jointcopy.js';
import type {Outcome} from './outcome.js';
import {f64sOf, fieldsOf, listOf, u32sOf, type Fields, type Vec3} from './values.js';

export interface Anchors {
  // In the world, as they are now.
  readonly first: Vec3;
  readonly second: Vec3;
}

// The joint as constraint.add takes it. Null if it is gone or holds nothing any more.
async function rowOf(app: App, id: number): Promise<Outcome<Fields | null>> {
  const [page] = await app.document.constraints.pages('joint', [id]);
  const at = page ? u32sOf(page.constraints).indexOf(id) : -1;
  if (!page || at < 0) return {ok: true, result: null};
  const bodies = new Set(u32sOf(page.bodies).subarray(4 * at, 4 * at + 4));
  const standing = new Map<number, Standing>();
  for (const body of bodies) {
    const shape = await app.bodies.shapeOf(body);
    if (!shape.ok) return shape;
    const rigid = app.document.bodies.peek().get(body)?.kind === 'rigid';
    const turned = rigid ? await app.bodies.turnedOf(body) : null;
    if (turned && !turned.ok) return turned;
    standing.set(body, {positions: shape.result.positions, rotations: f64sOf(turned?.result.rotations)});
  }
  const numbers = new Map([...bodies].map((body) => [body, body]));
  return {ok: true, result: jointRows(page, new Set([id]), numbers, standing)[0] ?? null};
}

function anchorsOf(row: Fields): Anchors {
  const all = f64sOf(row['anchors']);
  const at = (i: number): Vec3 => [all[i] ?? 0, all[i + 1] ?? 0, all[i + 2] ?? 0];
  return {first: at(0), second: at(3)};
}

export async function readAnchors(app: App, id: number): Promise<Outcome<Anchors | null>> {
  const row = await rowOf(app, id);
  return row.ok ? {ok: true, result: row.result && anchorsOf(row.result)} : row;
}

// Moves the anchors of a joint. The answer is the id of the joint that replaces it, or null if there is no such joint.
export async function moveAnchors(app: App, id: number, {first, second}: Anchors): Promise<Outcome<number | null>> {
  const row = await rowOf(app, id);
  if (!row.ok) return row;
  if (!row.result) return {ok: true, result: null};
  const given = {...row.result, anchors: [...first, ...second]};
  const done = await app.commands.batch([
    ['constraint.remove', {constraints: Uint32Array.from([id])}],
    ['constraint.add', given],
  ] as unknown as Parameters<typeof app.commands.batch>[0]);
  if (!done.ok) return done;
  const [, added] = listOf(done.result.results);
  return {ok: true, result: u32sOf(fieldsOf(added)['constraints'])[0] ?? null};
}
