// Strain of constraints and its colours, against the server's own definitions.
import {describe, expect, it} from 'vitest';
import {bendAngle, tetVolume} from '../../src/studio/model/geometry.js';
import {tableOf} from '../../src/studio/model/table.js';
import type {ConstraintKind} from '../../src/studio/model/values.js';
import {LineWriter, strainColor, strainOf} from '../../src/studio/view/strain.js';

function table(kind: ConstraintKind, particles: number[], rest: number[]) {
  const stride = kind === 'distance' ? 2 : 4;
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
    next: 0,
  });
}

describe('strain', () => {
  it('of a distance is its stretch over its rest length', () => {
    expect(
      strainOf('distance', 2, [
        [0, 0, 0],
        [3, 0, 0],
      ]),
    ).toBeCloseTo(0.5);
    expect(
      strainOf('distance', 2, [
        [0, 0, 0],
        [0, 1, 0],
      ]),
    ).toBeCloseTo(-0.5);
    expect(
      strainOf('distance', 0, [
        [0, 0, 0],
        [0, 1, 0],
      ]),
    ).toBe(0);
  });

  it('of bending goes by the signed angle that the documentation gives', () => {
    const angle = bendAngle([0, 0, 0], [0, 1.1, 0.1], [-0.8, 0.3, 0.4], [0.9, 0.7, 0.2]);
    expect(angle).toBeCloseTo(-0.584194697, 8);
    expect(bendAngle([0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, -1])).toBeCloseTo(0);
    expect(bendAngle([0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, -1])).toBe(0);
    // From nearly shut on one side to nearly shut on the other is a small way.
    const shut = (y: number) =>
      strainOf('dihedral', -3.1, [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
        [0, y, 1],
      ]);
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
    expect(strainOf('volume', 1 / 12, unit)).toBeCloseTo(1);
    expect(strainOf('volume', -1 / 6, unit)).toBeCloseTo(2);
  });
});

describe('lines of constraints', () => {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const of = (body: number) => (body === 7 ? positions : null);
  const palette = [
    [0, 0, 1],
    [0.5, 0.5, 0.5],
    [1, 0, 0],
  ] as const;

  it('run between their particles, coloured by strain', () => {
    const writer = new LineWriter(table('distance', [0, 1, 0, 2, 1, 2], [1, 0.5, 3]));
    expect(writer.lineCount).toBe(3);
    writer.write(of, [...palette]);
    expect(Array.from(writer.positions.subarray(0, 6))).toEqual([0, 0, 0, 1, 0, 0]);
    expect(Array.from(writer.colors.subarray(0, 6))).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(Array.from(writer.colors.subarray(6, 12))).toEqual([1, 0, 0, 1, 0, 0]);
    expect(Array.from(writer.colors.subarray(12, 15))).toEqual([0, 0, 1]);
  });

  it('are six for a tetrahedron and four for a hinge', () => {
    const tet = new LineWriter(table('volume', [0, 1, 2, 3], [1 / 6]));
    tet.write(of, [...palette]);
    expect(tet.lineCount).toBe(6);
    tet.colors.forEach((value) => expect(value).toBeCloseTo(0.5, 3));
    expect(new LineWriter(table('quadratic', [0, 1, 2, 3], [0])).lineCount).toBe(4);
  });

  it('keep the colour they were painted, and shrink where nothing is drawn', () => {
    const writer = new LineWriter(table('distance', [0, 1], [1]));
    writer.paint([0.25, 0.5, 0.75]);
    writer.write(() => null, null);
    expect(Array.from(writer.positions)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(Array.from(writer.colors)).toEqual([0.25, 0.5, 0.75, 0.25, 0.5, 0.75]);
  });

  it('grow in colour with strain, from both sides', () => {
    const out = new Float32Array(3);
    const redAt = (strain: number) => {
      strainColor(strain, palette[0], palette[1], palette[2], out, 0);
      return out[0] - out[2];
    };
    const shares = [-2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2].map(redAt);
    shares.slice(1).forEach((share, i) => expect(share).toBeGreaterThanOrEqual(shares[i]));
    expect(shares[0]).toBeCloseTo(-1);
    expect(shares[8]).toBeCloseTo(1);
  });
});
