// Pieces of rigid bodies, as they are drawn.
import {describe, expect, it} from 'vitest';
import {mixTurns} from '../../src/studio/view/mix.js';
import {pieceSurface, placePieces} from '../../src/studio/view/pieces.js';

describe('pieces', () => {
  it('go and turn with their particles', () => {
    const {particleOf, pieces, triangles, vertexCount} = pieceSurface({form: 'box', half_extents: [1, 2, 3]}, 2);
    expect(vertexCount).toBe(48);
    expect(Math.max(...triangles)).toBe(47);
    const half = Math.SQRT1_2;
    pieces.turns.set([0, 0, half, half], 4); // the second one by a quarter about z
    const vertices = new Float32Array(3 * vertexCount);
    placePieces(pieces, particleOf!, [0, 0, 0, 10, 20, 30], vertices);
    for (let i = 0; i < 24; i++) {
      const [x, y, z] = pieces.local.subarray(3 * i, 3 * i + 3);
      expect([Math.abs(x), Math.abs(y), Math.abs(z)]).toEqual([1, 2, 3]);
      expect(Array.from(vertices.subarray(3 * i, 3 * i + 3))).toEqual([x, y, z]);
      const turned = vertices.subarray(3 * (24 + i));
      expect(turned[0]).toBeCloseTo(10 - y, 5);
      expect(turned[1]).toBeCloseTo(20 + x, 5);
      expect(turned[2]).toBeCloseTo(30 + z, 5);
    }
  });

  it('are round where their shape is', () => {
    const {pieces} = pieceSurface({form: 'capsule', radius: 0.5, half_height: 1}, 1);
    for (let i = 0; i < pieces.local.length; i += 3) {
      const [x, y, z] = pieces.local.subarray(i, i + 3);
      const off = Math.hypot(x, y - Math.max(-1, Math.min(1, y)), z);
      expect(off).toBeCloseTo(0.5, 5); // the straight part runs along y
    }
  });

  it('are the hull of their points', () => {
    const points = new Float64Array([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]);
    const {pieces, triangles, vertexCount} = pieceSurface({form: 'hull', points}, 2);
    expect(triangles.length).toBe(2 * 4 * 3);
    expect(vertexCount).toBe(24);
    const corners = new Set<string>();
    for (let i = 0; i < pieces.local.length; i += 3) {
      corners.add(pieces.local.subarray(i, i + 3).join());
    }
    expect([...corners].sort()).toEqual(['0,0,0', '0,0,3', '0,2,0', '1,0,0']);
  });

  it('have their parts where these stand', () => {
    const half = Math.SQRT1_2;
    const shape = {
      form: 'compound',
      parts: [
        {form: 'box', half_extents: [1, 2, 3], position: [10, 0, 0], rotation: [0, 0, half, half]},
        {form: 'sphere', radius: 0.5, position: [0, -4, 0], rotation: [0, 0, 0, 1]},
      ],
    } as const;
    const {pieces, triangles, vertexCount, particleOf} = pieceSurface(shape, 2);
    for (let i = 0; i < 24; i++) {
      const [x, y, z] = pieces.local.subarray(3 * i, 3 * i + 3); // turned by a quarter about z
      expect(Math.abs(x - 10)).toBeCloseTo(2, 5);
      expect(Math.abs(y)).toBeCloseTo(1, 5);
      expect(Math.abs(z)).toBeCloseTo(3, 5);
    }
    for (let i = 24; i < vertexCount / 2; i++) {
      const [x, y, z] = pieces.local.subarray(3 * i, 3 * i + 3);
      expect(Math.hypot(x, y + 4, z)).toBeCloseTo(0.5, 5);
    }
    expect(Math.max(...triangles)).toBe(vertexCount - 1);
    expect(Array.from(triangles).every((vertex, i) => particleOf![vertex] === Math.floor((2 * i) / triangles.length))).toBe(true);
  });

  it('turn the shorter way between two frames', () => {
    const to = new Float32Array(8);
    const c = Math.cos(0.2);
    const s = Math.sin(0.2);
    mixTurns(to, 4, new Float32Array([0, 0, 0, 1]), new Float32Array([0, -s, 0, -c]), 0.5);
    expect(to[5]).toBeCloseTo(-Math.sin(0.1), 5);
    expect(Math.abs(to[7])).toBeCloseTo(Math.cos(0.1), 5);
    expect(Array.from(to.subarray(0, 4))).toEqual([0, 0, 0, 0]);
  });
});
