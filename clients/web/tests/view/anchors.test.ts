// Points that are measured from go with what they are on.
import {Quaternion, Vector3} from 'three';
import {describe, expect, it} from 'vitest';

import {anchorOf, placeOf} from '../../src/studio/view/anchors.js';
import type {Content, Hit} from '../../src/studio/view/content.js';

const quarter = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
const hit = (some: Partial<Hit>): Hit => ({distance: 1, point: [0, 0, 0], body: null, collider: null, particle: 0, ...some});
const close = (place: readonly number[] | null, to: readonly number[]) =>
  to.forEach((x, axis) => expect(place?.[axis]).toBeCloseTo(x, 6));

function scene() {
  const mesh = {position: new Vector3(1, 0, 0), quaternion: new Quaternion()};
  const cloth = {positions: Float32Array.of(0, 0, 0, 0, 1, 0), turns: null};
  const rigid = {positions: Float32Array.of(5, 0, 0), turns: Float32Array.of(0, 0, 0, 1)};
  const content = {
    colliders: new Map([[1, {mesh}]]),
    bodies: new Map<number, unknown>([
      [1, cloth],
      [2, rigid],
    ]),
  } as unknown as Content;
  return {mesh, cloth, rigid, content};
}

describe('an anchor', () => {
  it('of a cloth is its particle', () => {
    const {content, cloth} = scene();
    const anchor = anchorOf(content, hit({body: 1, particle: 1, point: [0.2, 1, 0]}))!;
    close(placeOf(content, anchor), [0, 1, 0]);
    cloth.positions[4] = 3;
    close(placeOf(content, anchor), [0, 3, 0]);
  });

  it('of a collider or a piece turns with it', () => {
    const {content, mesh, rigid} = scene();
    const on = anchorOf(content, hit({collider: 1, point: [2, 0, 0]}))!;
    mesh.position.set(0, 1, 0);
    mesh.quaternion.copy(quarter);
    close(placeOf(content, on), [0, 1, -1]);
    const piece = anchorOf(content, hit({body: 2, point: [5, 0, 1]}))!;
    rigid.turns.set(quarter.toArray());
    close(placeOf(content, piece), [6, 0, 0]);
  });

  it('ends with what it is on', () => {
    const {content} = scene();
    const on = anchorOf(content, hit({collider: 1, point: [2, 0, 0]}))!;
    content.colliders.clear();
    expect(placeOf(content, on)).toBeNull();
    expect(anchorOf(content, hit({collider: 7}))).toBeNull();
  });
});
