// The studio says and shows how well the solver converged.
import {describe, expect, it} from 'vitest';

import {bendShares} from '../../src/studio/model/convergence.js';
import {excessOf, limitsOf} from '../../src/studio/model/limits.js';
import {tableOf} from '../../src/studio/model/table.js';
import {bendingFacts, convergenceFacts} from '../../src/studio/ui/panels/convergence.js';
import type {BodyView} from '../../src/studio/view/body.js';
import {LineWriter, packed, Ramp} from '../../src/studio/view/strain.js';
import {Tint} from '../../src/studio/view/tint.js';

const WELL = {
  body: 1,
  name: 'sail',
  strain_max: 0,
  strain_rms: 0,
  unresolved_stretch: 0,
  unresolved_bend: 0,
  unresolved_volume: 0,
  unresolved_solid: 0,
  bending: 'none',
  swept_because: 'nothing',
} as const;

// Three edges of body 7 along x and y, and one to another body.
const EDGES = tableOf('distance', {
  revision: 1,
  tick: 0,
  constraints: Uint32Array.of(1, 2, 3, 4),
  bodies: Uint32Array.of(7, 7, 7, 7, 7, 7, 7, 8),
  particles: Uint32Array.of(0, 1, 0, 2, 1, 2, 0, 0),
  rest: Float64Array.of(1, 0.5, 1.2, 1),
  compliance: Float64Array.of(0, 0, 1e-3, 0),
  damping: new Float64Array(4),
  stiffness: Float64Array.of(-1, -1, -1, -1),
  next: 0,
});

describe('limits of edges', () => {
  it('are those of the server', () => {
    expect([...limitsOf(EDGES, () => 0)]).toEqual([1, 1, Infinity, Infinity]);
    expect([...limitsOf(EDGES, () => 0.25)]).toEqual([1.25, 1.25, 1.25, Infinity]);
    expect([...limitsOf({...EDGES, stiffness: Float64Array.of(0.5, -1, -1, -1)}, () => 0)][0]).toBe(Infinity);
  });

  it('are passed by what is too long, and by nothing else', () => {
    expect(excessOf(1.2, 1, 1.05)).toBeCloseTo(0.15);
    expect(excessOf(1.04, 1, 1.05)).toBe(0);
    expect(excessOf(0.5, 1, 1)).toBe(0);
    expect(excessOf(5, 1, Infinity)).toBe(0);
    expect(excessOf(5, 0, 1)).toBe(0);
  });

  it('colour lines by what is beyond them', () => {
    const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const [calm, hot] = [
      [0.4, 0.4, 0.4],
      [1, 0, 0],
    ] as const;
    const ramp = new Ramp([0, 0, 1], calm, hot);
    const writer = new LineWriter(EDGES);
    writer.write(() => positions, ramp, limitsOf(EDGES, () => 0));
    // At rest, twice as long, a spring of any length, a join of two bodies.
    expect(Array.from(writer.colors)).toEqual([calm, calm, hot, hot, calm, calm, calm, calm].map(packed));
  });
});

describe('bending that is not resolved', () => {
  // The colour of each vertex of a surface with two of them.
  const surface = () => {
    const colors: number[] = [];
    const tint = (colorOf: ((particle: number) => number) | null) => {
      colors.splice(0, 2, ...(colorOf ? [colorOf(0), colorOf(1)] : []));
    };
    return {colors, view: {sheet: {tint}} as unknown as BodyView};
  };

  it('colours whole bodies by their share, and ends with it', () => {
    const [calm, hot] = [
      [0.4, 0.4, 0.4],
      [1, 0, 0],
    ] as const;
    const ramp = new Ramp([0, 0, 1], calm, hot);
    const [none, quarter, all, unknown] = [surface(), surface(), surface(), surface()];
    const views = new Map([none, quarter, all, unknown].map(({view}, id) => [id, view]));
    const shares = bendShares([0, 0.25, 1].map((share, body) => ({...WELL, body, unresolved_bend: share})));
    const tint = new Tint();
    tint.writeBodies(shares, views, ramp);
    expect(none.colors).toEqual([packed(calm), packed(calm)]);
    expect(quarter.colors).toEqual([ramp.at(0.25), ramp.at(0.25)]);
    expect(quarter.colors[0]).not.toBe(packed(calm));
    expect(all.colors).toEqual([packed(hot), packed(hot)]);
    expect(unknown.colors).toEqual([packed(calm), packed(calm)]);
    tint.write([], views, ramp);
    expect(all.colors).toEqual([]);
  });
});

describe('words about convergence', () => {
  it('are nothing where all is well', () => {
    expect(convergenceFacts([], [])).toEqual([]);
    expect(convergenceFacts([WELL], [])).toEqual([]);
  });

  it('name the worst bodies first, and mark those that the server warns of', () => {
    const bodies = [
      WELL,
      {...WELL, body: 2, name: '', unresolved_bend: 0.012},
      {...WELL, body: 3, name: 'flag', strain_max: 0.491, strain_rms: 0.019, unresolved_bend: 0.3},
    ];
    const facts = convergenceFacts(bodies, [{code: 'STRETCHED', text: '', count: 1, elements: Uint32Array.of(3)}]);
    expect(facts.map(([name, value, , tone]) => [name, value, tone])).toEqual([
      ['flag', '49 % too long, 30 % of bend open', 'warning'],
      ['Body 2', '1.2 % of bend open', undefined],
    ]);
    expect(facts[0][2]).toMatch(/root mean square: 1.9 %/);
  });

  it('say how the bending of a body is solved, and why it is swept', () => {
    const bodies = [
      WELL,
      {...WELL, body: 2, bending: 'solved'} as const,
      {...WELL, body: 3, bending: 'swept', swept_because: 'rigid'} as const,
      {...WELL, body: 4, bending: 'swept', swept_because: 'rigid'} as const,
    ];
    const told = (...ids: number[]) => bendingFacts(bodies, ids).map(([name, value]) => [name, value]);
    expect([told(1), told(9)]).toEqual([[], []]);
    expect(told(1, 2)).toEqual([['Bending', 'solved at once']]);
    expect(told(3, 4)).toEqual([['Bending', 'swept: one of its bends has compliance 0']]);
    expect(told(2, 3)).toEqual([['Bending', 'mixed']]);
    // An older server does not say.
    const {bending: _, swept_because: __, ...older} = WELL;
    expect(bendingFacts([older as unknown as typeof WELL], [1])).toEqual([]);
  });
});
