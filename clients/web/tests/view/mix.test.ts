import {describe, expect, it} from 'vitest';
import type {ColliderPose, Frame} from '../../src/lib/index.js';
import {mixPoses} from '../../src/studio/view/mix.js';

function frame(colliders?: readonly ColliderPose[]): Frame {
  return {world: 1, tick: 0, substep: 0, time: 0, revision: 0, seq: 1, dropped: 0, receivedAt: 0, bodies: [], colliders};
}

const pose = (collider: number, x: number, w: number): ColliderPose => ({
  collider,
  position: [x, 2 * x, 1],
  rotation: [0, 0, 0, w],
});

function mixed(a: Frame, b: Frame, alpha: number): unknown[] {
  const seen: unknown[] = [];
  mixPoses(a, b, alpha, (collider, position, rotation) => seen.push([collider, position, rotation[3]]));
  return seen;
}

describe('colliders that go by keyframes', () => {
  const a = frame([pose(3, 0, 1), pose(4, 8, 1)]);
  const b = frame([pose(3, 4, -1), pose(5, 6, 1)]);

  it('are shown between two frames', () => {
    expect(mixed(a, b, 0.25)).toEqual([
      [3, [1, 2, 1], -1],
      [5, [6, 12, 1], 1],
    ]);
  });

  it('are shown as the first frame has them at its time', () => {
    expect(mixed(a, b, 0)).toEqual([
      [3, [0, 0, 1], 1],
      [4, [8, 16, 1], 1],
    ]);
  });

  it('need not be in a frame', () => {
    expect(mixed(frame(), frame(), 0.5)).toEqual([]);
    expect(mixed(frame(), b, 1)[0]).toEqual([3, [4, 8, 1], -1]);
  });
});
