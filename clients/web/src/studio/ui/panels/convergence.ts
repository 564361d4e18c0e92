// How well the solver converged, in words and figures.
import type {Convergence, Warning} from '../../../lib/index.js';
import type {Fact} from './inspector/facts.js';

const BODIES_TOLD = 6;

// A warning without what would help.
export function firstWords(text: string): string {
  const [words] = text.split(';');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const percent = (share: number) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

function worstOf({strain_max: strain, unresolved_stretch: stretch, unresolved_bend: bend, unresolved_volume: volume}: Convergence): number {
  return Math.max(strain, stretch, bend, volume);
}

// The figures of the bodies with the greatest errors.
export function convergenceFacts(bodies: readonly Convergence[], warnings: readonly Warning[]): readonly Fact[] {
  const warned = new Set(warnings.flatMap(({elements}) => [...elements]));
  return [...bodies]
    .filter((body) => worstOf(body) > 0)
    .sort((a, b) => worstOf(b) - worstOf(a) || a.body - b.body)
    .slice(0, BODIES_TOLD)
    .map((body) => {
      const {strain_max: most, strain_rms: mean, unresolved_stretch: stretch, unresolved_bend: bend, unresolved_volume: volume} = body;
      const shares = [
        [stretch, 'stretch'],
        [bend, 'bend'],
        [volume, 'volume'],
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
