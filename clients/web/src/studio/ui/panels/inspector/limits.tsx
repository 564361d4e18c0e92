// The two limits of a joint. An empty box is a limit that is not there yet; both are sent together.
import {NumberField} from '../../forms/number.js';
import type {JointType} from '../../../model/joints.js';
import {limitUnit} from './ways.js';

type Pair = readonly [number, number];

// The greatest range of each, for the end that was not said.
const WIDEST: Readonly<Record<JointType, Pair>> = {
  ball: [0, Math.PI],
  fixed: [0, 0],
  hinge: [-Math.PI, Math.PI],
  slider: [-1, 1],
  distance: [0, 1],
};

export function LimitsField({
  type,
  value,
  disabled,
  onGive,
}: {
  type: JointType;
  value: Pair | null;
  disabled?: boolean;
  // null: no limits any more.
  onGive: (limits: Pair | null) => void;
}) {
  const unit = limitUnit(type);
  if (unit === null) return null;
  const [from, to] = WIDEST[type];
  const scale = {kind: 'linear', from, to, zero: true, integer: false} as const;
  const box = (name: string, at: 0 | 1, doc: string) => (
    <NumberField
      name={name}
      doc={doc}
      unit={unit}
      value={value?.[at]}
      placeholder="none"
      scale={scale}
      disabled={disabled}
      onGive={(next) => {
        const [least, most] = value ?? WIDEST[type];
        onGive(at === 0 ? [next, Math.max(next, most)] : [Math.min(least, next), next]);
      }}
      onEmpty={() => onGive(null)}
    />
  );
  if (type === 'ball') return box('Leans at most', 1, 'The angle to which the axis may lean. Empty: as far as it likes.');
  return (
    <>
      {box('Least', 0, 'The least angle, place or distance. Both are 0 where the joint is added. Empty: no limits.')}
      {box('Greatest', 1, 'The greatest angle, place or distance. Empty: no limits.')}
    </>
  );
}
