// How finely positions are sent, and that floats come where they must.
import {describe, expect, it} from 'vitest';
import {rounded, tooMany, toleranceFor} from '../../src/studio/model/packing.js';
import type {Skin, Topology} from '../../src/studio/model/values.js';

// A sheet of so many vertices along each side, so far apart.
function sheet(side: number, spacing: number, skin: Skin | null = null): {readonly topology: Topology} {
  const rest = new Float64Array(3 * side * side);
  const corners: number[] = [];
  for (let i = 0; i < side * side; i++) {
    const [column, row] = [i % side, Math.floor(i / side)];
    rest.set([spacing * column, 0, spacing * row], 3 * i);
    if (column < side - 1 && row < side - 1) corners.push(i, i + 1, i + side);
  }
  const none = new Uint32Array(0);
  const masses = new Float64Array(0);
  return {topology: {rest, triangles: new Uint32Array(corners), edges: none, tets: none, masses, skin, elementsHash: 0}};
}

describe('the tolerance', () => {
  it('is a 200th of the edges of the finest body, and never above that of streams', () => {
    expect(toleranceFor([])).toBe(1e-4);
    expect(toleranceFor([sheet(100, 0.01)])).toBe(5e-5);
    expect(toleranceFor([sheet(100, 1)])).toBe(1e-4);
    expect(toleranceFor([sheet(100, 1), sheet(300, 0.003)])).toBe(1e-5);
    expect(toleranceFor([sheet(10, 1e-30)])).toBe(1e-9);
  });

  it('goes by the skin where that is finer', () => {
    const skin = (scale: number): Skin => ({
      particles: new Uint32Array([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]),
      weights: new Float32Array([1, 0, 0, 0, 1 - scale, scale, 0, 0, 1 - scale, 0, scale, 0]),
      triangles: new Uint32Array([0, 1, 2]),
    });
    expect(toleranceFor([sheet(10, 0.01, skin(0.1))])).toBe(5e-6);
    expect(toleranceFor([sheet(10, 0.01, skin(10))])).toBe(5e-5);
  });

  it('is not known before all bodies are', () => {
    expect(toleranceFor([sheet(10, 0.01), {topology: null}])).toBe(null);
  });

  it('has no say where there are too many vertices to be read in time', () => {
    expect(tooMany([{particles: 100_000}, {particles: 100_000}])).toBe('');
    expect(tooMany([{particles: 100_000}, {particles: 100_001}])).toContain('200001');
  });

  it('is one of few, so that all who look at a world ask for the same', () => {
    for (const [given, is] of [
      [1e-4, 1e-4],
      [9.99e-5, 5e-5],
      [2e-6, 2e-6],
      [1.99e-6, 1e-6],
      [0.3, 0.2],
    ] as const) {
      expect(rounded(given)).toBe(is);
    }
  });
});
