// Fields of a field of force in forms: which of them a kind has, and what they are called.
import {FORCE_READS, type ForceKind} from '../../../model/forcefields.js';

// Units of the strength: an acceleration, a rate, or the speed of the air.
export const STRENGTH_UNITS: Readonly<Record<ForceKind, string>> = {
  point: 'm/s²',
  vortex: 'm/s²',
  drag: '1/s',
  wind: '',
  fan: 'm/s',
};

export const FORCE_NAMES = {
  'field.half_extents': 'Box, half edges',
  'field.radius': 'Ends at radius',
  'field.margin': 'Fades within',
} as const;

// Fields that no form of this kind shows. The kind itself is fixed once it is there.
export function isUnread(path: string, kind: ForceKind): boolean {
  const name = path.slice('field.'.length);
  return !(FORCE_READS[kind] as readonly string[]).includes(name);
}
