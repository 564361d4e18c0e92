// How well the solver converged, in words and figures.
import type {Convergence, PressureMeasure, ShapeMeasure, Warning} from '../../../lib/index.js';
import {formatMeasure} from '../forms/numbers.js';
import type {Fact} from './inspector/facts.js';

const BODIES_TOLD = 6;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// Splits a warning of the server into what is wrong and what would help: "body 3 is stretched: … too long; more substeps would help".
export function partsOf(text: string): {readonly wrong: string; readonly help: string} {
  const end = text.indexOf('; ');
  return end < 0
    ? {wrong: sentence(text), help: ''}
    : {wrong: sentence(text.slice(0, end)), help: sentence(text.slice(end + 2))};
}

// Says what is wrong in a few words, without figures, and with a body's name rather than its number.
export function headOf(text: string): string {
  const {wrong} = partsOf(text);
  const end = wrong.indexOf(': ');
  return (end < 0 ? wrong : wrong.slice(0, end)).replace(/^Body \d+ \((.+?)\)/, '$1');
}

const percent = (share: number) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

function worstOf({strain_max: strain, unresolved_stretch: stretch, unresolved_bend: bend, unresolved_volume: volume, unresolved_solid: solid = 0}: Convergence): number {
  return Math.max(strain, stretch, bend, volume, solid);
}

const SWEPT: Readonly<Record<string, string>> = {
  world: 'the world solves bending hinge by hinge',
  model: 'only quadratic bending can be solved at once',
  rigid: 'one of its bends has compliance 0',
  stiffness: 'one of its bends has a PBD stiffness',
  stiff: 'it is too stiff',
  large: 'it is too large',
  waits: 'an edit has changed it, and it is solved again soon',
};

// How the bending of bodies is solved, and why hinge by hinge. Nothing of bodies without bending, or from a server that does
// not say.
export function bendingFacts(bodies: readonly Convergence[], ids: readonly number[]): readonly Fact[] {
  const of = bodies.filter(({body, bending}) => ids.includes(body) && (bending === 'solved' || bending === 'swept'));
  const words = new Set(
    of.map(({bending, swept_because: because}) =>
      bending === 'solved' ? 'solved at once' : `swept: ${SWEPT[because] ?? because}`,
    ),
  );
  const doc =
    'Bending that is solved at once is as stiff on a fine mesh as on a coarse one. ' +
    'Bending that is swept is solved hinge by hinge, and droops more on a finer mesh.';
  return words.size === 0 ? [] : [['Bending', words.size === 1 ? [...words].join() : 'mixed', doc]];
}

// Shows the volume in litres and the pressure in pascals inside bodies.
export function pressureFacts(bodies: readonly PressureMeasure[], ids: readonly number[]): readonly Fact[] {
  const of = bodies.filter(({body}) => ids.includes(body));
  const volume = of.reduce((sum, {volume: one}) => sum + one, 0);
  const [first] = of;
  if (!first) return [];
  return [
    ['Volume inside', `${formatMeasure(1000 * volume)} l`, 'Volume that the surface encloses.'],
    ...(of.length === 1
      ? [['Pressure', `${formatMeasure(first.pressure)} Pa`, 'Pressure inside above that outside.'] as const]
      : []),
  ];
}

// Shows how far a body is from its shape, in millimetres, and by what force it is drawn there.
export function shapeFacts(bodies: readonly ShapeMeasure[], ids: readonly number[]): readonly Fact[] {
  const [first, ...others] = bodies.filter(({body}) => ids.includes(body));
  if (!first || others.length > 0) return [];
  return [
    ['Off its shape', `${formatMeasure(1000 * first.distance)} mm`, 'Distance of particles from their goals: the root of the mean square.'],
    ['Drawn by', `${formatMeasure(first.force)} N`, 'Sizes of the forces that draw particles to their goals, added up.'],
    ...(first.regions > 1 ? [['Regions', `${first.regions}`, 'Regions that are matched each by itself.'] as const] : []),
  ];
}

// The figures of the bodies with the greatest errors.
export function convergenceFacts(bodies: readonly Convergence[], warnings: readonly Warning[]): readonly Fact[] {
  const warned = new Set(warnings.flatMap(({elements}) => [...elements]));
  return [...bodies]
    .filter((body) => worstOf(body) > 0)
    .sort((a, b) => worstOf(b) - worstOf(a) || a.body - b.body)
    .slice(0, BODIES_TOLD)
    .map((body) => {
      const {strain_max: most, strain_rms: mean, unresolved_stretch: stretch, unresolved_bend: bend, unresolved_volume: volume, unresolved_solid: solid = 0} = body;
      const shares = [
        [stretch, 'stretch'],
        [bend, 'bend'],
        [volume, 'volume'],
        [solid, 'solid'],
      ] as const;
      const parts = [
        ...(most > 0 ? [`${percent(most)} too long`] : []),
        ...shares.filter(([share]) => share > 0).map(([share, part]) => `${percent(share)} of ${part} open`),
      ];
      return [
        body.name || `Body ${body.body}`,
        parts.join(', '),
        `How well the solver converged. Too long: the worst edge, above its limit (root mean square: ${percent(mean)}). ` +
          'Open: the share of the forces of its material that is not resolved. ' +
          'More substeps, a coarser mesh or more compliance help; long edges help against stretch.',
        warned.has(body.body) ? 'warning' : undefined,
      ] as const;
    });
}
