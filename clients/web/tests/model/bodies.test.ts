// Bodies of another size: their masses, and what body.add gets.
import {describe, expect, it} from 'vitest';

import {massesOf, paramsOf, softPinCalls, softPinsOf, transformed, withoutSpares} from '../../src/studio/model/bodies.js';
import {isObstacle} from '../../src/studio/model/obstacle.js';
import {bodyOf, topologyOf, type Body, type Topology} from '../../src/studio/model/values.js';

function made(kind: Body['kind'], fields: Record<string, unknown>): {body: Body; topology: Topology} {
  const topology = topologyOf(fields);
  return {body: bodyOf({body: 1, kind, particles: topology.rest.length / 3, ...fields}, 1, topology), topology};
}

const scaled = (x: number, y: number, z: number) => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];

describe('a body of another size', () => {
  const square = {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
    triangles: [0, 1, 2, 2, 1, 3],
    masses: [0.1, 0.2, 0, 0.1],
  };

  it('keeps its density: masses follow area, length or volume, particle by particle', () => {
    const cloth = made('cloth', square);
    const wide = massesOf(cloth.body, cloth.topology, transformed(cloth.topology.rest, scaled(3, 2, 1)));
    // What is static stays so.
    expect([...wide].map((mass) => Number(mass.toFixed(9)))).toEqual([0.6, 1.2, 0, 0.6]);

    const rope = made('rope', {positions: [0, 0, 0, 1, 0, 0, 1, 1, 0], edges: [0, 1, 1, 2], masses: [1, 2, 1]});
    const long = massesOf(rope.body, rope.topology, transformed(rope.topology.rest, scaled(3, 1, 1)));
    expect([...long]).toEqual([3, 4, 1]);

    const tet = made('soft', {
      positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      tets: [0, 1, 2, 3],
      masses: [1, 1, 1, 1],
    });
    const large = massesOf(tet.body, tet.topology, transformed(tet.topology.rest, scaled(2, 2, 2)));
    expect([...large]).toEqual([8, 8, 8, 8]);

    const points = made('points', {positions: [0, 0, 0, 1, 1, 1], masses: [1, 2]});
    expect([...massesOf(points.body, points.topology, transformed(points.topology.rest, scaled(5, 5, 5)))]).toEqual([
      1, 2,
    ]);
  });

  it('is added with its own materials and nothing that its kind does not take', () => {
    const {body, topology} = made('cloth', {
      ...square,
      pins: [2],
      thickness: 0.02,
      stretch: {compliance: 1e-6, damping: 2, limit: 0.05},
      bend: {model: 'quadratic', stiffness: 0.5, damping: 0, compliance: 0},
    });
    expect(paramsOf(body, topology)).toEqual({
      kind: 'cloth',
      positions: topology.rest,
      masses: topology.masses,
      triangles: topology.triangles,
      thickness: 0.02,
      friction: 0.3,
      pins: Uint32Array.of(2),
      stretch: {compliance: 1e-6, damping: 2, limit: 0.05},
      bend: {model: 'quadratic', stiffness: 0.5},
    });
  });

  it('is added with its rigidity, and without the compliance of 0 that is told beside it', () => {
    const bend = {model: 'dihedral', rigidity: 2e-5, damping: 1, compliance: 0};
    const {body, topology} = made('cloth', {...square, bend});
    expect(paramsOf(body, topology).bend).toEqual({model: 'dihedral', rigidity: 2e-5, damping: 1});
  });

  it('is added with its rigidities along warp and weft', () => {
    const bend = {model: 'quadratic', warp: 2e-5, weft: 1e-5, damping: 1, compliance: 0};
    const {body, topology} = made('cloth', {...square, bend});
    expect(paramsOf(body, topology).bend).toEqual({model: 'quadratic', warp: 2e-5, weft: 1e-5, damping: 1});
  });

  it('is a rod again, without stretch of edges, and falls by a gravity of its own', () => {
    const rod = {radius: 0.002, young: 1e8, poisson: 0.3, damping: 0};
    const gravity = [0, -1.62, 0];
    const {body, topology} = made('rope', {positions: [0, 0, 0, 1, 0, 0], edges: [0, 1], masses: [1, 1], rod, gravity});
    const params = paramsOf(body, topology);
    expect(params).toMatchObject({kind: 'rope', rod, gravity});
    expect(params).not.toHaveProperty('stretch');
  });

  it('is clamped again where it was', () => {
    const wire = {positions: [0, 0, 0, 1, 0, 0], edges: [0, 1], masses: [1, 1], pins: [0, 1]};
    const {body, topology} = made('rope', {...wire, rod: {radius: 0.01, young: 1e7}, clamps: [1]});
    expect(Array.from(paramsOf(body, topology).clamps ?? [])).toEqual([1]);
    expect(paramsOf(made('rope', wire).body, topology)).not.toHaveProperty('clamps');
  });

  it('feels the air again by coefficients of its own', () => {
    const {body, topology} = made('cloth', {...square, wind: {drag: 1.5}});
    expect(paramsOf(body, topology).wind).toEqual({drag: 1.5});
    expect(paramsOf({...body, wind: undefined}, topology)).not.toHaveProperty('wind');
  });

  it('tears again, by the mesh as it has torn, and without the spare particles that are left', () => {
    const {body, topology} = made('cloth', {
      positions: [...square.positions, 0, 1, 0, 0, 0, 0, 0, 0, 0],
      triangles: [0, 1, 2, 4, 1, 3],
      masses: [0.1, 0.2, 0.1, 0.1, 0.1, 0, 0],
      tear: {strain: 0.2, most: 3},
      torn: {own: 4, origins: [2], edges: [1, 2]},
      yarn_uvs: [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1],
    });
    const params = paramsOf(body, withoutSpares(topology));
    expect(params.tear).toEqual({strain: 0.2, most: 3});
    expect(Array.from(params.positions)).toEqual([...square.positions, 0, 1, 0]);
    expect(Array.from(params.masses)).toEqual([0.1, 0.2, 0.1, 0.1, 0.1]);
    expect(params.yarn_uvs).toEqual(topology.yarnUvs);
    expect(withoutSpares(made('cloth', square).topology).masses.length).toBe(4);
  });

  it('keeps its soft pins, each as soft as it was', () => {
    const soft = softPinsOf({
      pins: [0, 2, 5, 7],
      pin_compliances: [0.5, 0, -1, 0.25],
      pin_distances: [-1, 0, 0.1, 0.2],
      pin_targets: [0, 1, 2, 9, 9, 9, 3, 4, 5, 6, 7, 8],
    });
    const told = softPinCalls(soft).map((call) =>
      Object.fromEntries(Object.entries(call).map(([name, values]) => [name, Array.from(values)])),
    );
    expect(told).toEqual([
      {particles: [7], positions: [6, 7, 8], compliance: [0.25], distance: [0.2]},
      {particles: [0], positions: [0, 1, 2], compliance: [0.5]},
      {particles: [5], positions: [3, 4, 5], distance: [0.1]},
    ]);
    expect(softPinCalls(softPinsOf({pins: [1, 2]}))).toEqual([]);
  });

  it('goes on meeting whom it met', () => {
    const contact = {self_contact: true, contact_group: 5, contact_mask: 2, friction: 0.7, friction_kinetic: 0.4, restitution: 0.25};
    const {body, topology} = made('cloth', {...square, thickness: 0.02, ...contact});
    expect(paramsOf(body, topology)).toMatchObject(contact);
  });
});

describe('an obstacle', () => {
  const square = {positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2], masses: [0.1, 0.1, 0.1]};
  const is = (fields: Record<string, unknown>) => isObstacle(made('cloth', {...square, ...fields}).body);

  it('is a body of which nothing moves by itself', () => {
    expect(is({pins: [0, 1, 2]})).toBe(true);
    expect(is({masses: [0, 0, 0]})).toBe(true);
    expect(is({pins: [0, 1]})).toBe(false);
    expect(is({masses: [0, 0, 0.1]})).toBe(false);
  });

  it('does not hang from springs, and follows no collider', () => {
    expect(is({pins: [0, 1, 2], pin_compliances: [0, 0, 1e-3]})).toBe(false);
    expect(is({pins: [0, 1, 2], pin_colliders: [0, 4, 4]})).toBe(false);
  });
});
