// Picking: rays, triangles, particles and outlines, against plain arithmetic.
import {describe, expect, it} from 'vitest';
import {
  boxOf,
  hitBox,
  hitCapsule,
  hitCylinder,
  hitPlane,
  hitSphere,
  hitTriangles,
  isWithin,
  meetsBox,
  nearestCorner,
  nearestLine,
  nearestParticle,
  particlesWithin,
  segmentDistance,
  toPage,
  type Ray,
  type Screen,
} from '../../src/studio/view/pick.js';
import {cloth} from '../lib/weftd.js';

// A camera at (0, 0, 5) that looks along −z with an opening of 90°, on a page of 200 × 100.
const NEAR = 0.1;
const FAR = 100;
const ASPECT = 2;
const screen: Screen = {
  width: 200,
  height: 100,
  // projection · view, column by column: x/aspect, y, depth, w = 5 − z
  matrix: (() => {
    const a = -(FAR + NEAR) / (FAR - NEAR);
    const b = (-2 * FAR * NEAR) / (FAR - NEAR);
    return [1 / ASPECT, 0, 0, 0, 0, 1, 0, 0, 0, 0, a, -1, 0, 0, -5 * a + b, 5];
  })(),
};

function ray(origin: Ray['origin'], towards: Ray['origin']): Ray {
  const d = towards.map((x, i) => x - origin[i]);
  const length = Math.hypot(...d);
  return {origin, direction: [d[0] / length, d[1] / length, d[2] / length]};
}

describe('a ray', () => {
  const mesh = cloth(100);

  it('finds the triangle and the particle that it meets, from both sides', () => {
    for (const y of [3, -1]) {
      const hit = hitTriangles(
        ray([0.5025, y, 0.2525], [0.5025, 1, 0.2525]),
        mesh.positions,
        mesh.triangles,
      )!;
      expect(hit.distance).toBeCloseTo(Math.abs(y - 1), 5);
      const particle = mesh.triangles[hit.triangle + nearestCorner(hit)];
      expect(mesh.positions[3 * particle]).toBeCloseTo(0.505, 1);
      expect(Math.abs(mesh.positions[3 * particle] - 0.5025)).toBeLessThan(0.0102);
      expect(Math.abs(mesh.positions[3 * particle + 2] - 0.2525)).toBeLessThan(0.0102);
    }
  });

  it('takes the nearest of several, and none beyond the limit', () => {
    const positions = new Float32Array([-1, 0, -1, 1, 0, -1, 0, 0, 1, -1, 2, -1, 1, 2, -1, 0, 2, 1]);
    const triangles = new Uint32Array([0, 1, 2, 3, 4, 5]);
    const down = ray([0, 5, -0.2], [0, 0, -0.2]);
    expect(hitTriangles(down, positions, triangles)).toMatchObject({triangle: 3});
    expect(hitTriangles(down, positions, triangles, 2.5)).toBe(null);
    expect(hitTriangles(ray([5, 5, 5], [5, 0, 5]), positions, triangles)).toBe(null);
  });

  it('is passed by a box that it does not meet', () => {
    const box = boxOf(mesh.positions);
    expect(Array.from(box.min)).toEqual([0, 1, 0]);
    expect(Array.from(box.max)).toEqual([1, 1, 1]);
    expect(meetsBox(ray([0.5, 3, 0.5], [0.5, 0, 0.5]), box)).toBe(true);
    expect(meetsBox(ray([0.5, 3, 0.5], [0.5, 4, 0.5]), box)).toBe(false);
    expect(meetsBox(ray([2, 3, 2], [2, 0, 2]), box)).toBe(false);
    expect(meetsBox(ray([0.5, 3, 0.5], [0.5, 0, 0.5]), box, 1)).toBe(false);
  });

  it('meets colliders where they are', () => {
    expect(hitSphere(ray([0, 0, 5], [0, 0, 0]), 2)).toBeCloseTo(3);
    expect(hitSphere(ray([0, 0, 0], [1, 0, 0]), 2)).toBeCloseTo(2);
    expect(hitSphere(ray([0, 3, 5], [0, 3, 0]), 2)).toBe(null);
    expect(hitBox(ray([0, 0, 5], [0, 0, 0]), [1, 1, 1])).toBeCloseTo(4);
    expect(hitBox(ray([0, 0, 5], [0, 0, 9]), [1, 1, 1])).toBe(null);
    expect(hitCapsule(ray([5, 0.9, 0], [0, 0.9, 0]), 1, 2)).toBeCloseTo(4);
    expect(hitCapsule(ray([0, 5, 0], [0, 0, 0]), 1, 2)).toBeCloseTo(3);
    expect(hitCapsule(ray([5, 2.5, 0], [0, 2.5, 0]), 1, 2)).toBe(null);
    expect(hitCylinder(ray([5, 0.9, 0], [0, 0.9, 0]), 1, 2)).toBeCloseTo(4);
    expect(hitCylinder(ray([0.9, 5, 0], [0.9, 0, 0]), 1, 2)).toBeCloseTo(4);
    expect(hitCylinder(ray([5, 1.1, 0], [0, 1.1, 0]), 1, 2)).toBe(null);
    expect(hitCylinder(ray([0.8, 5, 0.8], [0.8, 0, 0.8]), 1, 2)).toBe(null);
    expect(hitPlane(ray([0, 2, 0], [0, 0, 0]))).toBeCloseTo(2);
    expect(hitPlane(ray([0, -2, 0], [0, 0, 0]))).toBe(null);
  });

  it('is quick enough for a pointer that moves', () => {
    const down = ray([0.513, 3, 0.487], [0.513, 1, 0.487]);
    hitTriangles(down, mesh.positions, mesh.triangles);
    const times: number[] = [];
    for (let i = 0; i < 20; i++) {
      const from = process.cpuUsage();
      expect(hitTriangles(down, mesh.positions, mesh.triangles)).not.toBe(null);
      times.push(process.cpuUsage(from).user / 1000);
    }
    times.sort((a, b) => a - b);
    // A tenth of that on an idle machine.
    expect(times[5]).toBeLessThan(4);
  });
});

describe('a point of the page', () => {
  it('is where the camera shows a place', () => {
    const at = {x: 0, y: 0, depth: 0};
    toPage(screen, 0, 0, 0, at);
    expect(at).toEqual({x: 100, y: 50, depth: 5});
    toPage(screen, 5, 2.5, 0, at);
    expect([at.x, at.y]).toEqual([150, 25]);
    toPage(screen, 0, 0, 6, at);
    expect(at.depth).toBeLessThan(0);
  });

  it('finds the nearest particle within reach, the one in front before others', () => {
    const positions = new Float32Array([0, 0, 0, 0.1, 0, 3, 5, 2.5, 0, 0, 0, 7]);
    expect(nearestParticle(screen, positions, 100, 50, 10)).toMatchObject({particle: 1});
    expect(nearestParticle(screen, positions, 100, 50, 10, 10)).toMatchObject({particle: 1});
    expect(nearestParticle(screen, positions, 151, 26, 5)).toMatchObject({particle: 2});
    expect(nearestParticle(screen, positions, 151, 26, 5, 4)).toBe(null);
    expect(nearestParticle(screen, positions, 20, 90, 10)).toBe(null);
  });

  it('finds the nearest line', () => {
    const lines = new Float32Array([-5, 0, 0, 5, 0, 0, -5, 2, 0, 5, 2, 0, 0, 0, 8, 1, 1, 9]);
    expect(nearestLine(screen, lines, 100, 52, 6)).toBe(0);
    expect(nearestLine(screen, lines, 100, 31, 6)).toBe(1);
    expect(nearestLine(screen, lines, 100, 90, 6)).toBe(-1);
    expect(segmentDistance(0, 1, 0, 0, 2, 0)).toEqual({off: 1, along: 0});
    expect(segmentDistance(1, 1, 0, 0, 2, 0)).toEqual({off: 1, along: 0.5});
  });
});

describe('an outline on the page', () => {
  it('holds what lies within, however it is bent', () => {
    const c = [0, 0, 10, 0, 10, 10, 7, 10, 7, 3, 3, 3, 3, 10, 0, 10];
    expect(isWithin(1, 9, c)).toBe(true);
    expect(isWithin(5, 9, c)).toBe(false);
    expect(isWithin(5, 1, c)).toBe(true);
    expect(isWithin(11, 1, c)).toBe(false);
  });

  it('finds the particles in a box, and none behind the camera', () => {
    const positions = new Float32Array([0, 0, 0, 5, 2.5, 0, 0, 0, 7, -5, 0, 0]);
    const within = (outline: number[]) => [...particlesWithin(screen, positions, outline)];
    expect(within([90, 20, 160, 20, 160, 60, 90, 60])).toEqual([0, 1]);
    expect(within([0, 0, 200, 0, 200, 100, 0, 100])).toEqual([0, 1, 3]);
  });
});
