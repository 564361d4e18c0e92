// Colliders: shape, place, friction, surface.
import {useState} from 'preact/hooks';
import type {Collider} from '../../../model/values.js';
import {useStudio} from '../../context.js';
import {bindingOf, inTurn, worldKey, type Values} from '../../forms/binding.js';
import {Switch} from '../../forms/choice.js';
import {MethodForm} from '../../forms/form.js';

const FIELDS: Record<Collider['kind'], readonly string[]> = {
  plane: ['name', 'position', 'normal', 'friction', 'friction_kinetic', 'restitution', 'surface', 'surface_velocity', 'surface_spin'],
  sphere: ['name', 'position', 'radius', 'friction', 'friction_kinetic', 'restitution', 'surface', 'surface_velocity', 'surface_spin'],
  capsule: ['name', 'position', 'rotation', 'radius', 'length', 'friction', 'friction_kinetic', 'restitution', 'surface', 'surface_velocity', 'surface_spin'],
  box: ['name', 'position', 'rotation', 'half_extents', 'friction', 'friction_kinetic', 'restitution', 'surface', 'surface_velocity', 'surface_spin'],
  cylinder: ['name', 'position', 'rotation', 'radius', 'length', 'friction', 'friction_kinetic', 'restitution', 'surface', 'surface_velocity', 'surface_spin'],
  convex: ['name', 'position', 'rotation', 'friction', 'friction_kinetic', 'restitution', 'surface', 'surface_velocity', 'surface_spin'],
  height_field: ['name', 'position', 'rotation', 'spacing', 'friction', 'friction_kinetic', 'restitution', 'surface', 'surface_velocity', 'surface_spin'],
};

// A jump goes with a pose only.
export function jumping(patch: Values, jumps: boolean): Values {
  const poses = ['position', 'rotation', 'normal'].some((name) => patch[name] !== undefined);
  return jumps && poses ? {...patch, teleport: true} : patch;
}

export function ColliderForm({colliders}: {colliders: readonly Collider[]}) {
  const {app} = useStudio();
  const [jumps, setJumps] = useState(false);
  const [first] = colliders;
  if (!first) return null;
  const ids = colliders.map(({collider}) => collider);
  const binding = bindingOf(
    `${worldKey(app.document.name.value)}colliders ${ids.join()}`,
    () => colliders as unknown as readonly Values[],
    (patches) => inTurn(patches.map((patch, i) => () => app.commands.setCollider(ids[i] ?? 0, jumping(patch, jumps)))),
  );
  // What they have in common; several are not moved to one place by typing.
  const only = FIELDS[first.kind].filter(
    (name) =>
      colliders.length === 1 ||
      (name !== 'name' && name !== 'position' && colliders.every(({kind}) => FIELDS[kind].includes(name))),
  );
  return (
    <>
      <MethodForm method="collider.set" binding={binding} only={only} />
      <Switch
        label="Teleport"
        on={jumps}
        doc="A position or a rotation that you type holds at once. The collider has no velocity on its way and carries nothing along."
        onGive={setJumps}
      />
    </>
  );
}
