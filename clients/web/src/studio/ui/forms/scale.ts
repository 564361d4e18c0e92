// The slider of a number: which values it runs over, and how its way is laid out.
//
// api.json gives the values that are allowed; of those, a slider covers the ones that are of use, and the box beside
// it takes all. What spans many orders of magnitude (compliance, damping) runs on a log scale, 0 at its left end.
import {KINDS, type ConstraintKind, type Field} from '../../../lib/index.js';

export interface Scale {
  readonly kind: 'linear' | 'log';
  // Of the slider; for log the least above zero.
  readonly from: number;
  readonly to: number;
  // For log: whether the left end is 0.
  readonly zero: boolean;
  readonly integer: boolean;
  // Only powers of two are of use.
  readonly binary?: boolean;
}

export const SLIDER_STEPS = 1000;

// The first part of a log slider's way is 0, so that it can be met.
const ZERO_PART = 0.04;

// By name, what is of use.
const LINEAR: Record<string, [number, number]> = {
  gravity: [-20, 20],
  substeps: [1, 60],
  iterations: [1, 20],
  damping: [0, 10],
  drag: [0, 4],
  lift: [0, 4],
  thickness: [0, 0.1],
  friction: [0, 2],
  friction_kinetic: [0, 2],
  restitution: [0, 1],
  radius: [0.02, 3],
  length: [0, 4],
  stiffness: [0, 1],
  weld: [0, 0.1],
  tick_rate: [10, 240],
  rate: [0, 4],
  overpressure: [0, 10_000],
  ambient: [0, 200_000],
  strength: [-20, 20],
  distance: [0.05, 5],
  core: [0.01, 1],
  margin: [0, 2],
  width: [0.05, 3],
  gusts: [0, 20],
  rest_end: [0, 2],
  seconds: [0, 20],
  motor_target: [-10, 10],
};
const LOG: Record<string, [number, number]> = {
  extent: [1, 1e9],
  inverse_masses: [1e-3, 1e6],
  masses: [1e-5, 1e2],
  gust_length: [0.1, 100],
  force_limit: [0.1, 1e5],
  motor_most: [1e-3, 1e5],
  turn_compliance: [1e-7, 10],
  motor_compliance: [1e-7, 10],
  resolution: [9.313225746154785e-10, 0.000244140625],
};

export function scaleOf(field: Field, kind?: ConstraintKind): Scale | null {
  const integer = field.type === 'u32' || field.type === 'u64';
  const zero = !(field.min !== undefined && (field.min > 0 || (field.min === 0 && field.exclusiveMin)));
  const log = (range: readonly [number, number]): Scale => ({
    kind: 'log',
    from: range[0],
    to: range[1],
    zero,
    integer,
  });
  const linear = (range: readonly [number, number]): Scale => ({
    kind: 'linear',
    from: range[0],
    to: range[1],
    zero,
    integer,
  });
  // The compliance of a whole surface: from a stiff liquid in a bottle to a soft cushion.
  if (field.name === 'compliance' && field.unit === 'm^5/N') return log([1e-13, 1e-4]);
  if (field.name === 'compliance') return log(KINDS[kind ?? 'distance'].shown.compliance);
  if (field.name === 'damping' && field.unit?.includes('[C]')) return log(KINDS[kind ?? 'distance'].shown.damping);
  if (field.name === 'density') {
    if (field.unit?.includes('m^3') && (field.max ?? 0) > 0) return linear([0, 5]); // of air
    return log([1e-3, 1e4]);
  }
  if (field.unit === 'N m') return log([1e-8, 1]);
  if (field.name === 'young') return log([1e3, 1e8]);
  if (field.name === 'damping' && field.unit === 'Pa s') return log(KINDS.neo_hookean.shown.damping);
  if (field.name === 'limit' && field.type === 'float') return linear([0, 0.5]);
  if (field.unit === 'N/m') return {...log([1, 1e6]), zero: field.name === 'shear'};
  if (field.name === 'rate' && field.unit === '1/s') return log([0.01, 1e4]);
  const named = LINEAR[field.name];
  if (named) return linear(field.exclusiveMin && named[0] === field.min ? [named[1] / SLIDER_STEPS, named[1]] : named);
  const wide = LOG[field.name];
  if (wide) return {...log(wide), binary: field.name === 'resolution'};
  if (field.min === undefined || field.max === undefined) return null;
  if (field.min > 0 && field.max / field.min > 1e4) return log([field.min, field.max]);
  if (field.min === 0 && field.exclusiveMin && !integer) return log([field.max / 1e6, field.max]);
  return linear([field.min, field.max]);
}

// From a value to the slider's way, 0 to SLIDER_STEPS.
export function toSlider(scale: Scale, value: number): number {
  if (scale.kind === 'linear') {
    return clamp(Math.round((SLIDER_STEPS * (value - scale.from)) / (scale.to - scale.from)));
  }
  const first = scale.zero ? ZERO_PART : 0;
  if (value <= 0) return 0;
  const part = Math.log(value / scale.from) / Math.log(scale.to / scale.from);
  return clamp(Math.round(SLIDER_STEPS * (first + (1 - first) * Math.max(0, part))));
}

export function fromSlider(scale: Scale, at: number): number {
  const part = at / SLIDER_STEPS;
  if (scale.kind === 'linear') {
    const value = scale.from + part * (scale.to - scale.from);
    return scale.integer ? Math.round(value) : tidy(value, (scale.to - scale.from) / SLIDER_STEPS);
  }
  const first = scale.zero ? ZERO_PART : 0;
  if (scale.zero && part < first / 2) return 0;
  const along = Math.max(0, (part - first) / (1 - first));
  const value = scale.from * (scale.to / scale.from) ** along;
  if (scale.integer) return Math.round(value);
  if (scale.binary) return 2 ** Math.round(Math.log2(value));
  return Number(value.toPrecision(2));
}

// One press of an arrow key: a tenth of the leading digit on a log scale, 1 or a hundredth of the range on others.
export function stepBy(scale: Scale | null, value: number, direction: 1 | -1, factor: number): number {
  if (!scale) {
    const size = value === 0 ? 0.1 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
    return tidy(value + direction * factor * size, size / 100);
  }
  if (scale.integer) return Math.max(scale.zero ? 0 : 1, value + direction * Math.max(1, Math.round(factor)));
  if (scale.kind === 'linear') {
    const size = niceBelow((scale.to - scale.from) / 100);
    return tidy(value + direction * factor * size, size / 100);
  }
  if (value <= 0) return direction > 0 ? scale.from : 0;
  if (scale.binary) return value * 2 ** direction;
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const size =
    10 ** (direction < 0 && Math.abs(value - 10 ** exponent) < 1e-9 * value ? exponent - 1 : exponent);
  const next = factor >= 10 ? value * 10 ** direction : value + direction * size * Math.min(1, factor);
  if (next < scale.from / 2) return scale.zero ? 0 : scale.from;
  return Number(next.toPrecision(4));
}

function niceBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

// Rounds to as many decimals as the step needs, so that 0.1 + 0.2 reads 0.3.
function tidy(value: number, step: number): number {
  const decimals = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step))));
  return Number(value.toFixed(decimals));
}

function clamp(at: number): number {
  return Math.max(0, Math.min(SLIDER_STEPS, at));
}
