// A few lines that are wider than a pixel: pulls, selected constraints, the wind. Each is a rectangle that the vertex
// shader lays along the line on the page.
import {
  Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
} from 'three';
import type {Vec3} from '../model/values.js';

const VERTEX = /* glsl */ `
attribute vec3 fromPoint;
attribute vec3 toPoint;
attribute vec3 lineColor;
uniform vec2 uPage;
uniform float uWidth;
varying vec3 vColor;
varying float vAcross;
void main() {
  vColor = lineColor;
  vAcross = position.y;
  vec4 from = projectionMatrix * modelViewMatrix * vec4(fromPoint, 1.0);
  vec4 to = projectionMatrix * modelViewMatrix * vec4(toPoint, 1.0);
  // What is behind the camera has no place on the page.
  float near = 1e-3;
  if (from.w < near && to.w < near) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (from.w < near) from = mix(to, from, (to.w - near) / (to.w - from.w));
  if (to.w < near) to = mix(from, to, (from.w - near) / (from.w - to.w));
  vec2 along = (to.xy / to.w - from.xy / from.w) * uPage;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec4 at = position.x < 0.5 ? from : to;
  vec2 off = vec2(-along.y, along.x) * position.y + along * (position.x - 0.5);
  at.xy += off * (uWidth + 1.0) / uPage * at.w;
  at.z -= 0.001 * at.w;
  gl_Position = at;
}`;

const FRAGMENT = /* glsl */ `
uniform float uWidth;
uniform float uOpacity;
varying vec3 vColor;
varying float vAcross;
void main() {
  float edge = (1.0 - abs(vAcross)) * 0.5 * (uWidth + 1.0);
  gl_FragColor = vec4(vColor, uOpacity * min(1.0, edge));
  #include <colorspace_fragment>
}`;

export class WideLines {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private capacity = 0;
  private count = 0;

  constructor(
    private readonly width: number,
    before: boolean,
    order = 4,
  ) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {uPage: {value: new Vector2(1, 1)}, uWidth: {value: width}, uOpacity: {value: 1}},
      transparent: true,
      depthWrite: false,
      depthTest: before,
      toneMapped: false,
    });
    this.mesh = new Mesh(new InstancedBufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
    this.reserve(16);
  }

  // In pixels of the drawing, not of the page.
  resize(width: number, height: number, ratio: number): void {
    this.mesh.material.uniforms.uPage.value.set(width, height);
    this.mesh.material.uniforms.uWidth.value = this.width * ratio;
  }

  begin(): void {
    this.count = 0;
  }

  add(from: Vec3, to: Vec3, color: Color): void {
    if (this.count === this.capacity) {
      this.reserve(2 * this.capacity);
    }
    const {fromPoint, toPoint, lineColor} = this.mesh.geometry.attributes;
    (fromPoint.array as Float32Array).set(from, 3 * this.count);
    (toPoint.array as Float32Array).set(to, 3 * this.count);
    (lineColor.array as Float32Array).set([color.r, color.g, color.b], 3 * this.count);
    this.count++;
  }

  end(): void {
    const {geometry} = this.mesh;
    geometry.instanceCount = this.count;
    for (const name of ['fromPoint', 'toPoint', 'lineColor']) {
      (geometry.attributes[name] as InstancedBufferAttribute).needsUpdate = true;
    }
    this.mesh.visible = this.count > 0;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  // Keeps what is there.
  private reserve(capacity: number): void {
    const old = this.mesh.geometry;
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    for (const name of ['fromPoint', 'toPoint', 'lineColor']) {
      const array = new Float32Array(3 * capacity);
      const before = old.attributes[name];
      if (before) {
        array.set(before.array as Float32Array);
      }
      geometry.setAttribute(name, new InstancedBufferAttribute(array, 3).setUsage(DynamicDrawUsage));
    }
    old.dispose();
    this.mesh.geometry = geometry;
    this.capacity = capacity;
    geometry.instanceCount = this.count;
  }
}
