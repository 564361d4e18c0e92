// Several things aligned along an axis, spread evenly, or put on the ground: one edit for all of them.
import {useState} from 'preact/hooks';

import {aligned, grounded, spread, type Axis, type Side} from '../../../model/align.js';
import {placed} from '../../../model/bodies.js';
import type {Outcome} from '../../../model/outcome.js';
import type {Box} from '../../../model/snapping.js';
import type {Body, Collider, Vec3} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio, type Studio} from '../../context.js';
import {Fixable} from '../../forms/fixed.js';
import {Section} from '../../forms/form.js';

const AXES = ['x', 'y', 'z'] as const;
const SIDES: readonly (readonly [Side, Record<(typeof AXES)[number], string>])[] = [
  ['min', {x: 'Left', y: 'Bottom', z: 'Back'}],
  ['middle', {x: 'Centre', y: 'Centre', z: 'Centre'}],
  ['max', {x: 'Right', y: 'Top', z: 'Front'}],
];

interface Props {
  bodies: readonly Body[];
  colliders: readonly Collider[];
}

export function AlignForm({bodies, colliders}: Props) {
  const {app} = useStudio();
  const [busy, setBusy] = useState(false);
  const solids = colliders.filter(({kind}) => kind !== 'plane');
  const count = bodies.length + solids.length;
  const ground = Math.max(
    ...[...app.document.colliders.value.values()]
      .filter(({kind, normal}) => kind === 'plane' && normal[1] > 0.999)
      .map(({position}) => position[1]),
  );
  const run = async (shifts: (boxes: readonly Box[]) => Vec3[], near: Element) => {
    setBusy(true);
    await said(app, move(app, bodies, solids, shifts), near);
    setBusy(false);
  };
  return (
    <Section name="Align" open={false} doc="Moves what is selected to one line, evenly apart, or to the ground.">
      <Fixable>
        {count > 1 &&
          AXES.map((name, axis) => (
            <div key={name} class="align-row" role="group" aria-label={`Along ${name}`}>
              <span class="faint">{name}</span>
              {SIDES.map(([side, names]) => (
                <Button
                  key={side}
                  look="outlined"
                  size="small"
                  disabled={busy}
                  aria-label={`${names[name]} along ${name}`}
                  onClick={(event) => void run((boxes) => aligned(boxes, axis as Axis, side), event.currentTarget)}
                >
                  {names[name]}
                </Button>
              ))}
              <Button
                look="outlined"
                size="small"
                disabled={busy || count < 3}
                aria-label={`Spread evenly along ${name}`}
                onClick={(event) => void run((boxes) => spread(boxes, axis as Axis), event.currentTarget)}
              >
                Spread
              </Button>
            </div>
          ))}
        <Button
          look="outlined"
          size="small"
          disabled={busy || !Number.isFinite(ground)}
          onClick={(event) => void run((boxes) => grounded(boxes, ground), event.currentTarget)}
        >
          On the ground
        </Button>
      </Fixable>
    </Section>
  );
}

async function move(
  app: Studio['app'],
  bodies: readonly Body[],
  colliders: readonly Collider[],
  shifts: (boxes: readonly Box[]) => Vec3[],
): Promise<Outcome<unknown>> {
  const things = [
    ...bodies.map((body) => ({body, box: app.view?.boxOf('body', body.body) ?? null})),
    ...colliders.map((collider) => ({collider, box: app.view?.boxOf('collider', collider.collider) ?? null})),
  ].filter((one): one is typeof one & {box: Box} => one.box !== null);
  const by = shifts(things.map(({box}) => box));
  const edits: Parameters<typeof app.commands.batch>[0][number][] = [];
  for (const [i, thing] of things.entries()) {
    const [x, y, z] = by[i]!;
    if (Math.hypot(x, y, z) < 1e-9) continue;
    if ('body' in thing) {
      const shape = await app.bodies.shapeOf(thing.body.body);
      if (!shape.ok) return shape;
      const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
      edits.push(['particle.set', placed(thing.body.body, shape.result.positions, matrix)]);
    } else {
      const {collider, position} = thing.collider;
      const at: Vec3 = [position[0] + x, position[1] + y, position[2] + z];
      edits.push(['collider.set', {collider, position: at, teleport: true}]);
    }
  }
  return edits.length === 0 ? {ok: true, result: null} : app.commands.batch(edits);
}
