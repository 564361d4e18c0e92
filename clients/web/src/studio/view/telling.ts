// What the picture tells the panels, a few times a second: where the camera is, how fluent it is and how much there is.
import type {ViewState} from '../model/viewstate.js';
import type {CameraRig} from './camera.js';
import type {Content} from './content.js';
import {mean, type Meter} from './meter.js';

const STATS_MS = 500;
const POSE_MS = 200;

export class Telling {
  // While a benchmark reads the meter, it is left alone.
  measuring = false;
  private statsAt = 0;
  private poseAt = 0;

  constructor(
    private readonly viewState: ViewState,
    private readonly rig: CameraRig,
    private readonly content: Content,
    private readonly meter: Meter,
  ) {}

  update(now: number, delayMs: number, resolution: number): void {
    if (now - this.poseAt > POSE_MS) {
      this.poseAt = now;
      this.tellPose();
    }
    if (now - this.statsAt > STATS_MS) {
      this.tellStats((now - this.statsAt) / 1000, delayMs, resolution);
      this.statsAt = now;
    }
  }

  private tellPose(): void {
    const {camera} = this.viewState;
    const {position, target} = this.rig.pose;
    const before = camera.peek();
    const same =
      position.every((x, i) => x === before.position[i]) && target.every((x, i) => x === before.target[i]);
    if (!same) {
      camera.value = {position, target};
    }
  }

  private tellStats(seconds: number, delayMs: number, resolution: number): void {
    const {work, gaps} = this.meter;
    let triangles = 0;
    let particles = 0;
    for (const body of this.content.bodies.values()) {
      triangles += body.triangleCount;
      particles += body.body.particles;
    }
    this.viewState.stats.value = {
      framesPerSecond: work.length / seconds,
      mainMs: mean(work),
      delayMs,
      triangles,
      particles,
      resolution,
    };
    if (!this.measuring) {
      work.length = 0;
      gaps.length = 0;
    }
  }
}
