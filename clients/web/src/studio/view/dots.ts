// Points of a fixed size on the page: pins, selected particles, the particle under the pointer, ends of grabs. Each is
// a disc with a rim, drawn a little before what it lies on.
import {BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Points, ShaderMaterial} from 'three';

const VERTEX = /* glsl */ `
uniform float uSize;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  // Nearer by a thousandth, not to be hidden by the surface that it belongs to.
  gl_Position.z -= 0.0012 * gl_Position.w;
  gl_PointSize = uSize;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 uColor;
uniform vec3 uRim;
uniform float uSize;
uniform float uOpacity;
void main() {
  float away = length(gl_PointCoord - 0.5) * uSize;
  float soft = 0.5 * uSize - away;
  if (soft <= 0.0) discard;
  vec3 color = mix(uRim, uColor, smoothstep(1.0, 2.0, soft));
  gl_FragColor = vec4(color, uOpacity * min(1.0, soft));
  #include <colorspace_fragment>
}`;

export class Dots {
  readonly points: Points<BufferGeometry, ShaderMaterial>;
  private capacity = 0;

  constructor(
    private readonly size: number,
    before = true,
  ) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        uColor: {value: new Color()},
        uRim: {value: new Color()},
        uSize: {value: size},
        uOpacity: {value: 1},
      },
      transparent: true,
      depthWrite: false,
      depthTest: before,
      toneMapped: false,
    });
    this.points = new Points(new BufferGeometry(), material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 5;
    this.reserve(64);
    this.points.visible = false;
  }

  set pixelRatio(ratio: number) {
    this.points.material.uniforms.uSize.value = this.size * ratio;
  }

  paint(color: Color, rim: Color, opacity = 1): void {
    this.points.material.uniforms.uColor.value.copy(color);
    this.points.material.uniforms.uRim.value.copy(rim);
    this.points.material.uniforms.uOpacity.value = opacity;
  }

  // Calls `fill` with room for so many points (x, y, z each); it says how many there are after all.
  write(atMost: number, fill: (to: Float32Array) => number): void {
    if (atMost > this.capacity) {
      this.reserve(Math.max(atMost, 2 * this.capacity));
    }
    const attribute = this.points.geometry.attributes.position as BufferAttribute;
    const count = atMost === 0 ? 0 : fill(attribute.array as Float32Array);
    attribute.needsUpdate = count > 0;
    this.points.geometry.setDrawRange(0, count);
    this.points.visible = count > 0;
  }

  dispose(): void {
    this.points.geometry.dispose();
    this.points.material.dispose();
  }

  private reserve(count: number): void {
    this.capacity = count;
    this.points.geometry.dispose();
    const attribute = new BufferAttribute(new Float32Array(3 * count), 3);
    attribute.setUsage(DynamicDrawUsage);
    this.points.geometry = new BufferGeometry();
    this.points.geometry.setAttribute('position', attribute);
  }
}
