// What is drawn of bodies: outer faces, creases, edges, normals, positions between frames.
import {describe, expect, it} from 'vitest';
import type {Chunk, Frame} from '../../src/lib/index.js';
import {mixFrames} from '../../src/studio/view/mix.js';
import {carry, nearestCarrier, skinSurface} from '../../src/studio/view/carried.js';
import {smoothNormals} from '../../src/studio/view/normals.js';
import {clothSurface, hem, outerFaces, softSurface, uniqueEdges} from '../../src/studio/view/surface.js';
import {cloth} from '../lib/weftd.js';

// A cube of one cell, cut into six tetrahedra along its diagonal; the last is given inside out.
const CUBE = new Float64Array(24).map((_, i) => (((i / 3) >> 0) >> (i % 3)) & 1);
const TETS = (() => {
  const orders = [
    [1, 2, 4],
    [2, 4, 1],
    [4, 1, 2],
    [1, 4, 2],
    [2, 1, 4],
    [4, 2, 1],
  ];
  const tets = orders.flatMap(([a, b], i) => {
    const path = [0, a, a | b, 7];
    return i < 3 ? path : [path[1], path[0], path[2], path[3]];
  });
  const last = tets.slice(20);
  return Uint32Array.from([...tets.slice(0, 20), last[1], last[0], last[2], last[3]]);
})();

function normalOf(t: Uint32Array, i: number, p: ArrayLike<number>): number[] {
  const at = (k: number, axis: number) => p[3 * t[i + k] + axis];
  const u = [0, 1, 2].map((axis) => at(1, axis) - at(0, axis));
  const v = [0, 1, 2].map((axis) => at(2, axis) - at(0, axis));
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

describe('a soft body', () => {
  it('shows its outer faces, outwards, whichever way its tetrahedra are given', () => {
    const faces = outerFaces(TETS, CUBE);
    expect(faces.length).toBe(3 * 12);
    for (let i = 0; i < faces.length; i += 3) {
      const center = [0, 1, 2].map(
        (axis) =>
          (CUBE[3 * faces[i] + axis] + CUBE[3 * faces[i + 1] + axis] + CUBE[3 * faces[i + 2] + axis]) / 3 -
          0.5,
      );
      const normal = normalOf(faces, i, CUBE);
      expect(normal[0] * center[0] + normal[1] * center[1] + normal[2] * center[2]).toBeGreaterThan(0);
    }
  });

  it('has no face that two tetrahedra share, however many there are', () => {
    // Rows of cubes, each with its own eight corners but for those it shares with the next one.
    const cells = 40;
    const rest = new Float64Array(12 * (cells + 1));
    for (let i = 0; i <= cells; i++) {
      for (let c = 0; c < 4; c++) {
        rest.set([i, c & 1, c >> 1], 3 * (4 * i + c));
      }
    }
    const corner = (i: number, c: number) => 4 * (i + (c & 1)) + (c >> 1);
    const tets = Uint32Array.from({length: 24 * cells}, (_, k) => corner(Math.floor(k / 24), TETS[k % 24]));
    const faces = outerFaces(tets, rest);
    expect(faces.length).toBe(3 * (4 * 2 * cells + 4));
    const inner = [...Array(faces.length / 3).keys()].filter((f) => {
      const x = [0, 1, 2].map((k) => rest[3 * faces[3 * f + k]]);
      return x[0] === x[1] && x[1] === x[2] && x[0] > 0 && x[0] < cells;
    });
    expect(inner).toEqual([]);
  });

  it('has a vertex for each side of a crease', () => {
    const {triangles, particleOf, vertexCount} = softSurface(TETS, CUBE);
    expect(vertexCount).toBe(24);
    expect(triangles.length).toBe(36);
    const positions = Float32Array.from(particleOf!, (_, i) => i).length;
    expect(positions).toBe(24);
    // Smooth normals of such a cube are those of its sides.
    const vertices = new Float32Array(72);
    particleOf!.forEach((particle, i) => vertices.set(CUBE.slice(3 * particle, 3 * particle + 3), 3 * i));
    const normals = new Float32Array(72);
    smoothNormals(vertices, triangles, normals);
    for (let i = 0; i < 72; i += 3) {
      const n = [...normals.subarray(i, i + 3)].map(Math.abs).sort((a, b) => b - a);
      expect(n[0]).toBeGreaterThan(0.5);
      expect(n[1]).toBeLessThan(1e-6);
    }
  });
});

describe('a skin', () => {
  // One tetrahedron, and a triangle in it: a corner, the middle of an edge, the middle of it all.
  const rest = new Float64Array([0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4]);
  const skin = {
    particles: Uint32Array.from([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]),
    weights: Float32Array.from([0, 1, 0, 0, 0, 0, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]),
    triangles: Uint32Array.from([0, 1, 2]),
  };

  it('goes along with the particles that carry it', () => {
    const {triangles, vertexCount, carrier} = skinSurface(skin, rest)!;
    expect([...triangles]).toEqual([0, 1, 2]);
    expect(vertexCount).toBe(3);
    const at = new Float32Array(9);
    carry(carrier!, rest, at);
    expect([...at]).toEqual([4, 0, 0, 0, 2, 2, 1, 1, 1]);
    // Turned, stretched and far away.
    const moved = rest.map((x, i) => 1e5 + (i % 3 === 0 ? -2 : 1) * x);
    carry(carrier!, moved, at);
    expect([...at].map((x) => x - 1e5)).toEqual([-8, 0, 0, 0, 2, 2, -2, 1, 1]);
  });

  it('leads from a vertex to the nearest of the particles that carry it', () => {
    const {carrier} = skinSurface(skin, rest)!;
    const positions = Float32Array.from(rest);
    expect(nearestCarrier(carrier!, 2, positions, [3, 0, 0.5])).toBe(1);
    expect(nearestCarrier(carrier!, 2, positions, [0, 0, 0])).toBe(0);
  });

  it('is split along its creases', () => {
    // The cube's own surface, each vertex wholly that of one particle.
    const triangles = outerFaces(TETS, CUBE);
    const particles = Uint32Array.from({length: 32}, (_, i) => (i >> 2) % 8);
    const weights = Float32Array.from({length: 32}, (_, i) => (i % 4 === 0 ? 1 : 0));
    expect(skinSurface({particles, weights, triangles}, CUBE)!.vertexCount).toBe(24);
  });

  it('that makes no sense is none', () => {
    const none = {...skin, particles: new Uint32Array(0), weights: new Float32Array(0)};
    expect(skinSurface(none, rest)).toBe(null);
    expect(skinSurface({...skin, weights: new Float32Array(8)}, rest)).toBe(null);
    expect(skinSurface({...skin, particles: skin.particles.map(() => 4)}, rest)).toBe(null);
    expect(skinSurface({...skin, triangles: Uint32Array.from([0, 1, 3])}, rest)).toBe(null);
  });
});

describe('a cloth', () => {
  it('is drawn with a vertex a particle, and each edge once', () => {
    const mesh = cloth(4);
    const surface = clothSurface(mesh.triangles, 16);
    expect(surface.particleOf).toBe(null);
    expect(surface.vertexCount).toBe(16);
    // 2 · 3 · 4 along the sides of cells, and 9 diagonals.
    expect(uniqueEdges(mesh.triangles, 3).length).toBe(2 * 33);
  });

  it('has a hem, and a closed surface has none', () => {
    const mesh = cloth(4);
    const edges = hem(mesh.triangles);
    expect(edges.length).toBe(2 * 12);
    expect([...new Set(edges)].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15]);
    expect(hem(outerFaces(TETS, CUBE)).length).toBe(0);
  });

  it('has normals across it, and none that cannot be made a unit vector', () => {
    const mesh = cloth(5);
    const normals = new Float32Array(mesh.positions.length);
    smoothNormals(mesh.positions, mesh.triangles, normals);
    for (let i = 0; i < normals.length; i += 3) {
      expect(Math.abs(normals[i + 1])).toBeGreaterThan(1e-3);
      expect(Math.abs(normals[i])).toBeLessThan(1e-6);
    }
    smoothNormals(new Float32Array(mesh.positions.length), mesh.triangles, normals);
    normals.forEach((x) => expect(x).not.toBe(0));
  });
});

describe('between two frames', () => {
  const chunk = (body: number, first: number, positions: number[]): Chunk => ({
    body,
    first,
    count: positions.length / 3,
    positions: Float32Array.from(positions),
  });
  const frame = (bodies: Chunk[]): Frame => ({
    world: 1,
    tick: 0,
    substep: 0,
    time: 0,
    revision: 0,
    seq: 0,
    dropped: 0,
    receivedAt: 0,
    bodies,
  });
  const shown = (a: Frame, b: Frame, alpha: number) => {
    const bodies = new Map([
      [1, new Float32Array(6)],
      [2, new Float32Array(3)],
    ]);
    const changed: number[] = [];
    mixFrames(
      a,
      b,
      alpha,
      (body) => bodies.get(body) ?? null,
      (body) => changed.push(body),
    );
    return {one: Array.from(bodies.get(1)!), two: Array.from(bodies.get(2)!), changed};
  };

  it('bodies are on their way from one to the other', () => {
    const a = frame([chunk(1, 0, [0, 0, 0, 1, 1, 1]), chunk(2, 0, [2, 2, 2])]);
    const b = frame([chunk(1, 0, [4, 0, 0, 1, 1, 5]), chunk(2, 0, [4, 4, 4])]);
    expect(shown(a, b, 0.25)).toEqual({one: [1, 0, 0, 1, 1, 2], two: [2.5, 2.5, 2.5], changed: [1, 2]});
    expect(shown(a, b, 0).one).toEqual([0, 0, 0, 1, 1, 1]);
    expect(shown(a, b, 1).one).toEqual([4, 0, 0, 1, 1, 5]);
  });

  it('bodies that came, ranges of bodies and unknown ones are put where they belong', () => {
    const a = frame([chunk(1, 0, [0, 0, 0]), chunk(1, 1, [2, 0, 0])]);
    const b = frame([
      chunk(2, 0, [8, 8, 8]),
      chunk(1, 0, [4, 0, 0]),
      chunk(1, 1, [4, 0, 0]),
      chunk(9, 0, [1, 1, 1]),
    ]);
    expect(shown(a, b, 0.5)).toEqual({one: [2, 0, 0, 3, 0, 0], two: [8, 8, 8], changed: [2, 1, 1]});
  });

  it('an array that does not fit is left out', () => {
    const a = frame([chunk(2, 0, [1, 1, 1, 2, 2, 2])]);
    expect(shown(a, a, 0).two).toEqual([0, 0, 0]);
  });
});
