// The camera: where turning may take it.
import {describe, expect, it} from 'vitest';

import {CameraRig} from '../../src/studio/view/camera.js';
import type {CameraPose} from '../../src/studio/model/viewstate.js';

const ABOVE: CameraPose = {position: [3, 3, 6], target: [0, 1, 0]};
const BELOW: CameraPose = {position: [3, -2, 6], target: [0, 1, 0]};

const heightOf = (rig: CameraRig) => rig.pose.position[1];

describe('a camera over a floor', () => {
  it('is not turned through it, however far the hand goes', () => {
    const rig = new CameraRig(ABOVE);
    rig.floor = 0;
    for (let i = 0; i < 50; i++) {
      rig.orbit(0.01, -0.1);
      expect(heightOf(rig)).toBeGreaterThan(0);
    }
    expect(heightOf(rig)).toBeLessThan(0.5);
    rig.orbit(0, 0.5);
    expect(heightOf(rig)).toBeGreaterThan(2);
  });

  it('that is below it already turns as it likes', () => {
    const rig = new CameraRig(BELOW);
    rig.floor = 0;
    const before = heightOf(rig);
    rig.orbit(0, -0.2);
    expect(heightOf(rig)).toBeLessThan(before);
  });

  it('that stands beside a target on the floor may still look up from it', () => {
    const rig = new CameraRig({position: [0, 0.01, 4], target: [0, 0, 0]});
    rig.floor = 0;
    rig.orbit(0, -1);
    expect(heightOf(rig)).toBeGreaterThan(0);
    rig.orbit(0, 0.3);
    expect(heightOf(rig)).toBeGreaterThan(0.5);
  });

  it('goes below where there is no floor', () => {
    const rig = new CameraRig(ABOVE);
    rig.orbit(0, -2);
    expect(heightOf(rig)).toBeLessThan(-1);
  });
});
