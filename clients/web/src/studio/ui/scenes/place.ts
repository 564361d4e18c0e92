// Where things of a scene stand: scaled, then turned, then moved.
//
//     scale 2 or [2, 1, 1] · rotation [x, y, z, w] or turn {axis, degrees} · position [x, y, z]
//
// Only + − × ÷ and square roots, in the order of protocol/scene/place.c: what is opened here is the same world, to the
// last bit, as what `weft open` makes of the same file.
import {refuse, type Spec} from './spec.js';

const PI_OVER_180 = 0.017453292519943295;

// Cosine and sine, by their series within an eighth of a turn.
export function turnOf(degrees: number): readonly [cosine: number, sine: number] {
  const quarters = Math.floor(degrees / 90 + 0.5);
  const angle = (degrees - 90 * quarters) * PI_OVER_180;
  const square = angle * angle;
  let [c, s, termC, termS] = [1, angle, 1, angle];
  for (let n = 1; n <= 10; n++) {
    termC *= -square / ((2 * n - 1) * (2 * n));
    termS *= -square / (2 * n * (2 * n + 1));
    c += termC;
    s += termS;
  }
  const turned = quarters - 4 * Math.floor(quarters / 4);
  return [
    turned === 0 ? c : turned === 1 ? -s : turned === 2 ? -c : s,
    turned === 0 ? s : turned === 1 ? c : turned === 2 ? -s : -c,
  ];
}

function normalized(vector: readonly number[], place: string): number[] {
  let square = 0;
  for (const part of vector) square += part * part;
  const length = Math.sqrt(square);
  if (!(length > 1e-12 && length < 1e12))
    refuse(place, `its length is ${length}; must be between 1e-12 and 1e12`);
  return vector.map((part) => part / length);
}

// The quaternion that a thing says, either way; null: none.
export function rotationOf(spec: Spec): number[] | null {
  if (spec.has('rotation') && spec.has('turn'))
    refuse(spec.place, 'has both rotation and turn; one of them is enough');
  if (spec.has('rotation')) return normalized(spec.vector('rotation', 4, []), spec.at('rotation'));
  if (!spec.has('turn')) return null;
  const turn = spec.inner('turn', ['axis', 'degrees']);
  if (!turn.has('degrees'))
    refuse(turn.place, 'must be an object, such as {"axis": [0, 1, 0], "degrees": 90}');
  const axis = normalized(turn.vector('axis', 3, [0, 1, 0]), turn.at('axis'));
  const [cosine, sine] = turnOf(turn.number('degrees', -36000, 36000, 0) / 2);
  return [...axis.map((part) => part * sine), cosine];
}

export const PLACEMENTS = ['position', 'rotation', 'turn', 'scale'] as const;

export function placeBody(spec: Spec, positions: Float64Array): void {
  const one = typeof spec.get('scale') === 'number';
  const scale = one
    ? Array<number>(3).fill(spec.number('scale', 1e-9, 1e9, 1))
    : spec.vector('scale', 3, [1, 1, 1]);
  const q = rotationOf(spec);
  const move = spec.vector('position', 3, [0, 0, 0]);
  for (let i = 0; i + 2 < positions.length; i += 3) {
    let v = [0, 1, 2].map((axis) => positions[i + axis]! * scale[axis]!) as [number, number, number];
    if (q) {
      // v + 2 w (u x v) + 2 u x (u x v), u = (x, y, z)
      const [x, y, z, w] = q as [number, number, number, number];
      const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as const;
      v = [
        v[0] + w * t[0] + (y * t[2] - z * t[1]),
        v[1] + w * t[1] + (z * t[0] - x * t[2]),
        v[2] + w * t[2] + (x * t[1] - y * t[0]),
      ];
    }
    for (let axis = 0; axis < 3; axis++) positions[i + axis] = v[axis]! + move[axis]!;
  }
}
