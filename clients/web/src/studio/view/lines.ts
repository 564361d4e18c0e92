// Thin lines whose ends change every frame: constraints, velocities, pulls.
import {BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments} from 'three';

export class Lines {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(opacity: number, before = true, order = 3) {
    const material = new LineBasicMaterial({
      vertexColors: true,
      transparent: true,
      opacity,
      depthWrite: false,
      depthTest: before,
      toneMapped: false,
    });
    this.object = new LineSegments(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.visible = false;
    this.object.renderOrder = order;
  }

  // From now on these arrays are drawn: ends and colours, x, y, z and r, g, b of each end.
  take(positions: Float32Array, colors: Float32Array): void {
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    const attribute = (array: Float32Array) => new BufferAttribute(array, 3).setUsage(DynamicDrawUsage);
    this.object.geometry.setAttribute('position', attribute(positions));
    this.object.geometry.setAttribute('color', attribute(colors));
  }

  // What the arrays hold has changed; the first `lines` of them are drawn.
  show(lines: number, colorsToo: boolean): void {
    const {position, color} = this.object.geometry.attributes;
    if (position) {
      (position as BufferAttribute).needsUpdate = true;
      if (colorsToo) {
        (color as BufferAttribute).needsUpdate = true;
      }
      this.object.geometry.setDrawRange(0, 2 * lines);
    }
    this.object.visible = lines > 0;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
