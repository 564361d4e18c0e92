// The selected bodies and colliders once more, beside what is there.
import type {Outcome} from '../../model/outcome.js';
import type {Thing} from '../../model/selection.js';
import {shapeOf, type Vec3} from '../../model/values.js';
import type {Studio} from '../context.js';
import {takenIn} from '../gallery/add.js';
import {colliderExtent, extentOf, together, wayOut} from '../gallery/place.js';
import type {Values} from '../forms/binding.js';
import {freeName} from '../names.js';

// Ends at the first refusal; what was made before it stays. What was made is selected.
export async function double({app}: Pick<Studio, 'app'>): Promise<Outcome<unknown>> {
  const {document, view, commands} = app;
  const selected = app.selection.selected.peek();
  const bodies = [...selected.bodies].flatMap((id) => document.bodies.peek().get(id) ?? []);
  const colliders = [...selected.colliders].flatMap((id) => document.colliders.peek().get(id) ?? []);
  const extents = [
    ...bodies.map(({body, topology}) => extentOf(view?.drawn(body) ?? topology?.rest ?? [])),
    ...colliders.map((collider) => colliderExtent(collider as unknown as Values)),
  ];
  if (extents.length === 0) return {ok: true, result: null};
  const by = wayOut(together(extents), takenIn(app)) as Vec3;
  const names = [...document.bodies.peek().values(), ...document.colliders.peek().values()].map(({name}) => name);
  const nameFor = (name: string) => {
    if (name === '') return '';
    const free = freeName(name, names);
    names.push(free);
    return free;
  };
  const made: Thing[] = [];
  let done: Outcome<unknown> = {ok: true, result: null};
  for (const {body, name} of bodies) {
    const doubled = await app.bodies.double(body, by, nameFor(name));
    done = doubled;
    if (!doubled.ok) break;
    made.push({kind: 'body', body: doubled.result});
  }
  for (const collider of done.ok ? colliders : []) {
    const position = collider.position.map((x, axis) => x + by[axis as 0 | 1 | 2]) as unknown as Vec3;
    const added = await commands.addCollider({...shapeOf(collider), name: nameFor(collider.name), position});
    done = added;
    if (!added.ok) break;
    made.push({kind: 'collider', collider: added.result.collider});
  }
  if (made.length > 0) app.selection.select(made);
  return done;
}
