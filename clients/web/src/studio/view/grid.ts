// A grid in metres where there is no ground to carry one, and the axes of the world.
import {BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments} from 'three';
import {Labels} from './labels.js';
import {toPage, type Screen} from './pick.js';
import type {SceneTheme} from './theme.js';
import {WideLines} from './widelines.js';

const HALF_M = 10;
const AXIS_M = 1;
const AXES = [
  {name: 'x', end: [AXIS_M, 0, 0], color: new Color('#e5484d')},
  {name: 'y', end: [0, AXIS_M, 0], color: new Color('#46a758')},
  {name: 'z', end: [0, 0, AXIS_M], color: new Color('#3e7bfa')},
] as const;

export class Grid {
  readonly object = new Group();
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly axes = new WideLines(2, true);
  private readonly labels: Labels;
  private named = false;

  constructor(stage: HTMLElement) {
    const ends: number[] = [];
    for (let i = -HALF_M; i <= HALF_M; i++) {
      ends.push(i, 0, -HALF_M, i, 0, HALF_M, -HALF_M, 0, i, HALF_M, 0, i);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(ends), 3));
    const material = new LineBasicMaterial({transparent: true, depthWrite: false, toneMapped: false});
    this.lines = new LineSegments(geometry, material);
    this.lines.renderOrder = 3;
    this.object.add(this.lines, this.axes.mesh);
    this.labels = new Labels(stage);
    this.show(false, false);
  }

  show(grid: boolean, axes: boolean): void {
    this.lines.visible = grid;
    this.named = axes;
    this.axes.begin();
    for (const {end, color} of axes ? AXES : []) {
      this.axes.add([0, 0, 0], end, color);
    }
    this.axes.end();
  }

  paint(theme: SceneTheme): void {
    this.lines.material.color.copy(theme.gridCoarse);
    this.lines.material.opacity = 1.3 * theme.gridStrength;
  }

  resize(width: number, height: number, ratio: number): void {
    this.axes.resize(width, height, ratio);
  }

  // Names go with the camera.
  place(screen: Screen): void {
    const at = {x: 0, y: 0, depth: 0};
    this.labels.show(
      (this.named ? AXES : []).flatMap(({name, end}) => {
        toPage(screen, end[0], end[1], end[2], at);
        return at.depth > 0 ? [{x: at.x, y: at.y, text: name, tone: `axis ${name}`} as const] : [];
      }),
    );
  }

  dispose(): void {
    this.labels.dispose();
    this.axes.dispose();
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
