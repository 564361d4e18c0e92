// Bodies moved, turned and scaled by numbers: what their handles do, for those who work without a pointer or know what they
// want.
import {useMemo, useState} from 'preact/hooks';

import type {Field} from '../../../../lib/index.js';
import type {Outcome} from '../../../model/outcome.js';
import {rotated} from '../../../model/rotation.js';
import type {Body, Vec3, Vec4} from '../../../model/values.js';
import {Button} from '../../controls/button.js';
import {said, useStudio} from '../../context.js';
import {quaternionOf} from '../../forms/angles.js';
import {Draft, inTurn} from '../../forms/binding.js';
import {Fixable} from '../../forms/fixed.js';
import {FieldsForm, Section} from '../../forms/form.js';
import {extentOf, together} from '../../gallery/place.js';

const FIELDS: readonly Field[] = [
  {name: 'move', type: 'vec3', default: [0, 0, 0], unit: 'm', doc: 'Distance to move.'},
  {name: 'turn', type: 'vec3', default: [0, 0, 0], unit: '°', doc: 'Rotation about its middle: about x, then y, then z.'},
  {
    name: 'size',
    type: 'vec3',
    min: 0.01,
    max: 100,
    default: [1, 1, 1],
    doc: 'Factor of its present size. Resizing makes a new body: constraints to other bodies are removed.',
  },
];
const NOTHING = {move: [0, 0, 0], turn: [0, 0, 0], size: [1, 1, 1]};

// Column-major: sizes, then the turn, both about the middle, then the way.
function matrixOf(middle: Vec3, move: Vec3, turn: Vec3, size: Vec3): number[] {
  const q = quaternionOf(turn) as unknown as Vec4;
  const x = rotated(q, [size[0], 0, 0]);
  const y = rotated(q, [0, size[1], 0]);
  const z = rotated(q, [0, 0, size[2]]);
  const at = middle.map(
    (m, i) => m + move[i]! - (x[i]! * middle[0] + y[i]! * middle[1] + z[i]! * middle[2]),
  );
  return [...x, 0, ...y, 0, ...z, 0, ...at, 1];
}

export function PlaceForm({bodies}: {bodies: readonly Body[]}) {
  const {app} = useStudio();
  const draft = useMemo(() => new Draft(NOTHING), [bodies.map(({body}) => body).join()]);
  const [busy, setBusy] = useState(false);
  if (app.document.looking.value) return null;
  const apply = async (near: Element) => {
    const {move, turn, size} = draft.values.peek() as unknown as Record<'move' | 'turn' | 'size', Vec3>;
    const {min, max} = together(
      bodies.map(({body, topology}) => extentOf(app.view?.drawn(body) ?? topology?.rest ?? [])),
    );
    const middle = min.map((low, i) => (low + max[i]!) / 2) as unknown as Vec3;
    const matrix = matrixOf(middle, move, turn, size);
    setBusy(true);
    if (size.some((factor) => factor !== 1)) {
      await app.remake(
        bodies.map(({body}) => body),
        matrix,
      );
    } else {
      const place = async (body: number): Promise<Outcome<unknown>> => {
        const shape = await app.bodies.shapeOf(body);
        return shape.ok ? app.bodies.place(body, shape.result.positions, matrix) : shape;
      };
      await said(app, inTurn(bodies.map(({body}) => () => place(body))), near);
    }
    setBusy(false);
    draft.values.value = NOTHING;
  };
  return (
    <Section name="Move, turn, size" open={false} doc="The same as the handles, with numbers.">
      <FieldsForm fields={FIELDS} binding={draft} />
      <Fixable>
        <Button
          look="outlined"
          disabled={busy || draft.held.value.size > 0}
          onClick={(event) => void apply(event.currentTarget as Element)}
        >
          Apply
        </Button>
      </Fixable>
    </Section>
  );
}
