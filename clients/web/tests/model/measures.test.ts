// Measures: what they come to, and how they read.
import {describe, expect, it} from 'vitest';

import {angleOf, angleReading, areaOf, bodyReading, distanceReading, isClosed, offeredOf, ropeLength, volumeOf} from '../../src/studio/model/measures.js';
import {angleText, areaText, changeText, factorText, forceText, lengthText, volumeText} from '../../src/studio/model/quantities.js';
import {topologyOf} from '../../src/studio/model/values.js';

// A cube of 1 m with its sides turned outward.
const CUBE = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1];
const SIDES = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
const doubled = CUBE.map((x) => 2 * x);

describe('measures', () => {
  it('of points: distance and its parts, and the angle at the second', () => {
    expect(distanceReading([0, 0, 0], [0.3, -0.4, 0])).toEqual({text: '500 mm', more: 'x 300 mm, y −400 mm, z 0 mm'});
    expect(angleOf([1, 0, 0], [0, 0, 0], [0, 2, 0])).toBeCloseTo(Math.PI / 2, 12);
    expect(angleOf([1, 0, 0], [0, 0, 0], [-3, 0, 0])).toBeCloseTo(Math.PI, 12);
    expect(angleReading([1, 0, 0], [0, 0, 0], [1, 1, 0]).text).toBe('45°');
    expect(angleReading([1, 0, 0], [1, 0, 0], [1, 1, 0]).text).toBe('0°');
  });

  it('of bodies: area, volume and length, now and at rest', () => {
    expect(areaOf(CUBE, SIDES)).toBeCloseTo(6, 12);
    expect(volumeOf(CUBE, SIDES)).toBeCloseTo(1, 12);
    expect(volumeOf(CUBE.map((x) => x + 7), SIDES)).toBeCloseTo(1, 9);
    expect(volumeOf(CUBE, [...SIDES].reverse())).toBeCloseTo(1, 12);
    expect(ropeLength([0, 0, 0, 0, 3, 0, 4, 3, 0], [0, 1, 1, 2])).toBe(7);
    const cloth = topologyOf({positions: CUBE, triangles: SIDES, masses: []});
    expect(bodyReading('area', cloth, doubled)).toEqual({text: '24 m²', more: '6 m² at rest, +300 %'});
    expect(bodyReading('volume', cloth, CUBE)).toEqual({text: '1 m³', more: '1 m³ at rest, 0 %'});
    const soft = topologyOf({positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 1, 2, 3], masses: []});
    expect(bodyReading('volume', soft, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5]).text).toBe('83.33 l');
  });

  it('are offered where they mean something', () => {
    expect(isClosed(SIDES)).toBe(true);
    expect(isClosed(SIDES.slice(3))).toBe(false);
    // Two triangles that go along their edge in the same way have no inside.
    expect(isClosed([0, 1, 2, 0, 1, 2])).toBe(false);
    const open = topologyOf({positions: CUBE, triangles: SIDES.slice(3), masses: []});
    const closed = topologyOf({positions: CUBE, triangles: SIDES, masses: []});
    expect(offeredOf({kind: 'cloth'}, open)).toEqual(['area', 'pull']);
    expect(offeredOf({kind: 'cloth'}, closed)).toEqual(['area', 'volume', 'pull']);
    expect(offeredOf({kind: 'rope'}, open)).toEqual(['length', 'pull']);
  });
});

describe('quantities', () => {
  it('have units that people read', () => {
    expect([1.23456, -0.12, 0, 0.00002, 12].map(lengthText)).toEqual(['1.235 m', '−120 mm', '0 mm', '20 µm', '12 m']);
    expect([Math.PI / 4, -1, 0].map(angleText)).toEqual(['45°', '−57.3°', '0°']);
    expect(factorText(1.3)).toBe('1.3 ×');
    expect([2.5, 0.0123, 0].map(areaText)).toEqual(['2.5 m²', '123 cm²', '0 m²']);
    expect([2.5, 0.0123, 0.0000045].map(volumeText)).toEqual(['2.5 m³', '12.3 l', '4.5 cm³']);
    expect([0.1234, 4.56, 123.4, 1234].map(forceText)).toEqual(['0.123 N', '4.56 N', '123 N', '1.23 kN']);
    expect([changeText(1.025, 1), changeText(0.5, 1), changeText(1, 0)]).toEqual(['+2.5 %', '−50 %', '']);
  });
});
