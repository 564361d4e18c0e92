// Units as people read them. api.json writes them in ASCII; '[C]' stands for the unit of the constraint's C.

import {KINDS, type ConstraintKind} from '../../../lib/index.js';

const SUPERSCRIPTS: Record<string, string> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '-': '⁻',
};

// As api.json writes the unit of a rest value of any kind.
const ANY_REST = [...new Set(Object.values(KINDS).flatMap(({rest}) => rest ?? []))].join(', ');

export function prettyUnit(unit: string | undefined, kind?: ConstraintKind): string {
  let text = unit ?? '';
  if (kind) {
    if (text === '[C]^2/J') text = KINDS[kind].compliance;
    else if (text === 'J s/[C]^2') text = KINDS[kind].damping;
    else if (text === ANY_REST) text = KINDS[kind].rest ?? '';
  }
  return text
    .replace(/\^(-?\d+)/g, (_, power: string) =>
      [...power].map((digit) => SUPERSCRIPTS[digit] ?? digit).join(''),
    )
    .replace(/(\w|[⁰-⁹²³¹]) (?=\w)/g, '$1·')
    .replace(/^us$/, 'µs');
}

// 'half_extents' is 'Half extents'.
export function prettyName(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
