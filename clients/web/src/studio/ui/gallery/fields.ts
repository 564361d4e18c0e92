// Fields of force that the gallery offers, each with values from which something can be seen at once.
import type {ForceKind} from '../../model/forcefields.js';
import type {App} from '../../model/app.js';
import type {Outcome} from '../../model/outcome.js';
import type {IconName} from '../controls/icons.js';
import type {Values} from '../forms/binding.js';
import {FORCES} from '../names.js';

export interface FieldPiece {
  readonly kind: ForceKind;
  readonly name: string;
  readonly doc: string;
  readonly icon: IconName;
  // Parameters of a field of force. Its position is the height above the ground.
  readonly values: Values;
}

const piece = (kind: ForceKind, icon: IconName, doc: string, values: Values): FieldPiece => ({
  kind,
  icon,
  doc,
  values,
  name: FORCES[kind],
});

export const FIELDS: readonly FieldPiece[] = [
  piece('point', 'attract', 'It draws to a point; below 0 it pushes away.', {
    position: [0, 1, 0],
    strength: 6,
    falloff: 'inverse',
    core: 0.1,
    radius: 2,
    margin: 0.4,
  }),
  piece('vortex', 'vortex', 'It turns things about an axis.', {
    position: [0, 1, 0],
    axis: [0, 1, 0],
    strength: 6,
    core: 0.1,
    radius: 2,
    margin: 0.4,
  }),
  piece('drag', 'drop', 'A medium, such as water, that slows down what moves in it.', {
    position: [0, 0.5, 0],
    strength: 4,
    half_extents: [1, 0.5, 1],
    margin: 0.1,
  }),
  piece('wind', 'wind', 'Air that moves in a box.', {
    position: [0, 1, 0],
    velocity: [6, 0, 0],
    half_extents: [1, 1, 1],
    margin: 0.2,
  }),
  piece('fan', 'fan', 'A jet of air that widens and slows down.', {
    position: [0, 1, 0],
    axis: [1, 0, 0],
    strength: 10,
    width: 0.4,
    radius: 5,
    margin: 1,
  }),
];

// The new things are selected.
export async function addField(app: App, kind: ForceKind, field: Values): Promise<Outcome<unknown>> {
  const added = await app.commands.addForce({...field, kind} as Parameters<typeof app.commands.addForce>[0]);
  if (added.ok) app.selection.select([{kind: 'force', force: added.result.force}]);
  return added;
}
