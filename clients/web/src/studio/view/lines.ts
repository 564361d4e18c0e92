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

  // From now on these arrays are drawn: x, y, z of each end, and its color (see packed()).
  take(positions: Float32Array, colors: Uint32Array): void {
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    const ends = new BufferAttribute(positions, 3);
    const shades = new BufferAttribute(new Uint8Array(colors.buffer), 4, true);
    this.object.geometry.setAttribute('position', ends.setUsage(DynamicDrawUsage));
    this.object.geometry.setAttribute('color', shades.setUsage(DynamicDrawUsage));
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
