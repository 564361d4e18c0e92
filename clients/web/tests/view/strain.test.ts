// Strain of constraints and its colours, against the server's own definitions.
import {describe, expect, it} from 'vitest';
import {KINDS} from '../../src/lib/index.js';
import {bendAngle, tetVolume} from '../../src/studio/model/geometry.js';
import {measuredOf, strainOf} from '../../src/studio/model/measured.js';
import {MEASURES} from '../../src/studio/model/recorder.js';
import {strideOf, tableOf} from '../../src/studio/model/table.js';
import {CONSTRAINT_KINDS, type ConstraintKind} from '../../src/studio/model/values.js';
import {LineWriter, packed, Ramp} from '../../src/studio/view/strain.js';

function table(kind: ConstraintKind, particles: number[], rest: number[], weights?: number[]) {
  const stride = strideOf(kind);
  const count = particles.length / stride;
  const zeros = new Float64Array(count);
  return tableOf(kind, {
    revision: 1,
    tick: 0,
    constraints: Uint32Array.from({length: count}, (_, i) => i + 1),
    bodies: new Uint32Array(particles.length).fill(7),
    particles: Uint32Array.from(particles),
    rest: Float64Array.from(rest),
    compliance: zeros,
    damping: zeros,
    stiffness: zeros,
    ...(weights ? {weights: Float64Array.from(weights)} : {}),
    next: 0,
  });
}

describe('strain', () => {
  it('of a distance is its stretch over its rest length', () => {
    expect(strainOf('distance', 2, [0, 0, 0, 3, 0, 0])).toBeCloseTo(0.5);
    expect(strainOf('distance', 2, [0, 0, 0, 0, 1, 0])).toBeCloseTo(-0.5);
    expect(strainOf('distance', 0, [0, 0, 0, 0, 1, 0])).toBe(0);
  });

  it('of bending goes by the signed angle that the documentation gives', () => {
    const angle = bendAngle([0, 0, 0], [0, 1.1, 0.1], [-0.8, 0.3, 0.4], [0.9, 0.7, 0.2]);
    expect(angle).toBeCloseTo(-0.584194697, 8);
    expect(bendAngle([0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, -1])).toBeCloseTo(0);
    expect(bendAngle([0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, -1])).toBe(0);
    // From nearly shut on one side to nearly shut on the other is a small way.
    const shut = (y: number) =>
      strainOf('dihedral', -3.1, [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, y, 1]);
    expect(Math.abs(shut(0.01)) + Math.abs(shut(-0.01))).toBeLessThan(0.1);
  });

  it('of a volume is its change over its rest', () => {
    const unit: [number, number, number][] = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    expect(tetVolume(unit[0], unit[1], unit[2], unit[3])).toBeCloseTo(1 / 6);
    expect(strainOf('volume', 1 / 12, unit.flat())).toBeCloseTo(1);
    expect(strainOf('volume', -1 / 6, unit.flat())).toBeCloseTo(2);
  });
});

describe('every kind of constraint', () => {
  const corners = [0, 0, 0, 1, 0, 0, 0.2, 1, 0.1, 0.4, 0.3, 1];

  // Their warp is twice as long as at rest.
  const yarns = [2, 0, 0, 0.9];

  it('has no strain at rest, and some away from it', () => {
    for (const kind of CONSTRAINT_KINDS) {
      const rest = measuredOf(kind).of(corners, 1, yarns);
      expect(strainOf(kind, rest, corners, 1, yarns)).toBe(0);
      if (['segment', 'joint'].includes(KINDS[kind].c)) continue; // they go by orientations, which no page has
      expect(Math.abs(strainOf(kind, 0.9 * rest, corners, 1, yarns))).toBeGreaterThan(0.05);
    }
  });

  it('of a join is drawn between the points that its weights make', () => {
    const writer = new LineWriter(table('join', [0, 1, 0, 2, 3, 4], [0.5], [0.25, 0.75, 0, 0, 0.5, 0.5]));
    const positions = Float32Array.from([0, 0, 0, 4, 0, 0, 9, 9, 9, 3, 1, 0, 3, 1, 2]);
    writer.write(() => positions, null);
    expect(Array.from(writer.positions)).toEqual([3, 0, 0, 3, 1, 1]);
    expect(writer.lineCount).toBe(1);
  });

  it('of a ring is drawn to the ends of the segment of its rail that is nearest', () => {
    const writer = new LineWriter(table('slide_rail', [0, 1, 4], [0]));
    const positions = Float32Array.from([2.9, 1, 0, 0, 0, 0, 3, 0, 0, 3, 3, 0, 0, 3, 0]);
    const ramp = new Ramp([0, 0, 1], [0.4, 0.4, 0.4], [1, 0, 0]);
    writer.write(() => positions, ramp);
    expect(Array.from(writer.positions)).toEqual([3, 0, 0, 2.9, 1, 0, 2.9, 1, 0, 3, 3, 0].map(Math.fround));
    // 10 cm are farther from the rail than is ever shown in proportion.
    expect(writer.colors[0]).toBe(packed([1, 0, 0]));
    positions[0] = 3;
    writer.write(() => positions, ramp);
    expect(writer.colors[0]).toBe(packed([0.4, 0.4, 0.4]));
  });

  it('has its energy and its error among the measures', () => {
    for (const kind of CONSTRAINT_KINDS) {
      const {error} = KINDS[kind].told;
      expect(MEASURES).toContain(`elastic_${kind}`);
      if (error) {
        expect(MEASURES).toEqual(expect.arrayContaining([error.max, error.rms]));
      }
    }
    expect(MEASURES).not.toContain('phases');
  });
});

describe('lines of constraints', () => {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const of = (body: number) => (body === 7 ? positions : null);
  const [COLD, CALM, HOT] = [
    [0, 0, 1],
    [0.4, 0.4, 0.4],
    [1, 0, 0],
  ] as const;
  const ramp = new Ramp(COLD, CALM, HOT);

  it('run between their particles, coloured by strain', () => {
    const writer = new LineWriter(table('distance', [0, 1, 0, 2, 1, 2], [1, 0.5, 3]));
    expect(writer.lineCount).toBe(3);
    writer.write(of, ramp);
    expect(Array.from(writer.positions.subarray(0, 6))).toEqual([0, 0, 0, 1, 0, 0]);
    expect(Array.from(writer.colors)).toEqual([CALM, CALM, HOT, HOT, COLD, COLD].map(packed));
  });

  it('are six for a tetrahedron and four for a hinge', () => {
    const tet = new LineWriter(table('volume', [0, 1, 2, 3], [1 / 6]));
    tet.write(of, ramp);
    expect(tet.lineCount).toBe(6);
    tet.colors.forEach((color) => expect(color).toBe(packed(CALM)));
    expect(new LineWriter(table('quadratic', [0, 1, 2, 3], [0])).lineCount).toBe(4);
  });

  it('keep the colour they were painted, and shrink where nothing is drawn', () => {
    const writer = new LineWriter(table('distance', [0, 1], [1]));
    writer.paint([0.25, 0.5, 0.75]);
    writer.write(() => null, null);
    expect(Array.from(writer.positions)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(Array.from(writer.colors)).toEqual([packed([0.25, 0.5, 0.75]), packed([0.25, 0.5, 0.75])]);
    expect(Array.from(new Uint8Array(writer.colors.buffer, 0, 4))).toEqual([64, 128, 191, 255]);
  });

  it('grow in colour with strain, from both sides', () => {
    const redAt = (strain: number) => {
      const [red, , blue] = new Uint8Array(Uint32Array.of(ramp.at(strain)).buffer);
      return red - blue;
    };
    const shares = [-2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2].map(redAt);
    shares.slice(1).forEach((share, i) => expect(share).toBeGreaterThanOrEqual(shares[i]));
    expect([shares[0], shares[1], shares[4], shares[7], shares[8]]).toEqual([-255, -255, 0, 255, 255]);
    expect(shares[5]).toBeGreaterThan(0.3 * 255 - 2);
  });
});
