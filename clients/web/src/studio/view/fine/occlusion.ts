// How much of the light from all around reaches a point: less in folds, and where things stand on the ground. It is
// worked out from the depths of what is seen, before the picture is drawn, and materials look it up. So only light from
// around becomes less; colours that mean something, and lines on top, stay as they are.
//
//     depth of bodies and colliders ─▶ horizons in some directions ─▶ smoothed along x, along y ─▶ uOcclusion
//
// Horizons: Jimenez and others, Practical Real-Time Strategies for Accurate Indirect Occlusion (2016).
import {
  DepthTexture,
  DoubleSide,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  NoBlending,
  OrthographicCamera,
  PlaneGeometry,
  ShaderMaterial,
  UnsignedIntType,
  Vector2,
  WebGLRenderTarget,
  type Material,
  type Object3D,
  type PerspectiveCamera,
  type Texture,
  type WebGLRenderer,
} from 'three';

// Pixels of the picture for one of the occlusion, along each side.
const COARSER = 2;
const VERTEX = /* glsl */ `
varying vec2 vUv;
void main() {
  vUv = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

// Distances are packed into two bytes, so that any graphics card can draw them.
const DEPTHS = /* glsl */ `
uniform mat4 uUnproject;
uniform vec2 uSize;
uniform float uFar;
varying vec2 vUv;
vec2 packed(float distance) {
  float x = clamp(distance / uFar, 0.0, 0.99999) * 255.0;
  return vec2(floor(x) / 255.0, fract(x));
}
float unpacked(vec2 bytes) {
  return (floor(bytes.x * 255.0 + 0.5) + bytes.y) * uFar / 255.0;
}`;

const HORIZONS = /* glsl */ `
${DEPTHS}
uniform sampler2D uDepth;
uniform float uRadius;
uniform float uPerMetre;
const int SLICES = 3;
const int STEPS = 5;
vec3 placeAt(vec2 uv) {
  vec4 clip = vec4(vec3(uv, texture2D(uDepth, uv).r) * 2.0 - 1.0, 1.0);
  vec4 at = uUnproject * clip;
  return at.xyz / at.w;
}
vec3 normalAt(vec2 uv, vec3 at) {
  vec2 p = 1.0 / uSize;
  vec3 l = at - placeAt(uv - vec2(p.x, 0.0)), r = placeAt(uv + vec2(p.x, 0.0)) - at;
  vec3 d = at - placeAt(uv - vec2(0.0, p.y)), u = placeAt(uv + vec2(0.0, p.y)) - at;
  vec3 dx = abs(l.z) < abs(r.z) ? l : r;
  vec3 dy = abs(d.z) < abs(u.z) ? d : u;
  return normalize(cross(dx, dy));
}
void main() {
  if (texture2D(uDepth, vUv).r >= 1.0) {
    gl_FragColor = vec4(1.0, packed(uFar), 1.0);
    return;
  }
  vec3 at = placeAt(vUv);
  vec3 normal = normalAt(vUv, at);
  vec3 toEye = normalize(-at);
  // Off the surface by what depths are not exact to.
  at += normal * 0.0015 * -at.z;
  vec2 cell = mod(gl_FragCoord.xy, 4.0);
  float turn = (cell.x + 4.0 * cell.y) / 16.0;
  float start = fract(0.25 * (cell.y + 2.0 * cell.x) + 0.37 * turn);
  // In pixels.
  float reach = min(uRadius * uPerMetre / -at.z, 0.25 * uSize.y);
  float open = 0.0;
  for (int i = 0; i < SLICES; i++) {
    float angle = 3.14159265 * (float(i) + turn) / float(SLICES);
    vec2 way = vec2(cos(angle), sin(angle));
    vec3 along = vec3(way, 0.0);
    vec3 axis = normalize(cross(along, toEye));
    vec3 ortho = along - dot(along, toEye) * toEye;
    vec3 flat_ = normal - axis * dot(normal, axis);
    float size = length(flat_);
    float cosine = clamp(dot(flat_, toEye) / max(size, 1e-5), -1.0, 1.0);
    float n = sign(dot(ortho, flat_)) * acos(cosine);
    vec2 horizon = vec2(cos(n + 1.5707963), cos(n - 1.5707963));
    vec2 lowest = horizon;
    for (int j = 0; j < STEPS; j++) {
      float share = (float(j) + 0.15 + 0.85 * start) / float(STEPS);
      vec2 step = way * max(share * share * reach, float(j) + 1.0) / uSize;
      for (int side = 0; side < 2; side++) {
        vec2 uv = vUv + (side == 0 ? step : -step);
        vec3 off = placeAt(uv) - at;
        float far = length(off);
        float near = clamp(1.6 * (1.0 - far / uRadius), 0.0, 1.0);
        float high = dot(off / far, toEye);
        if (side == 0) horizon.x = max(horizon.x, mix(lowest.x, high, near));
        else horizon.y = max(horizon.y, mix(lowest.y, high, near));
      }
    }
    float h1 = n + min(acos(clamp(horizon.x, -1.0, 1.0)) - n, 1.5707963);
    float h0 = n + max(-acos(clamp(horizon.y, -1.0, 1.0)) - n, -1.5707963);
    open += size * 0.25 * (cosine + 2.0 * h0 * sin(n) - cos(2.0 * h0 - n) + cosine + 2.0 * h1 * sin(n) - cos(2.0 * h1 - n));
  }
  open = clamp(open / float(SLICES), 0.0, 1.0);
  gl_FragColor = vec4(open, packed(-at.z), 1.0);
}`;

const SMOOTH = /* glsl */ `
${DEPTHS}
uniform sampler2D uFrom;
uniform vec2 uStep;
uniform float uRadius;
void main() {
  vec4 here = texture2D(uFrom, vUv);
  float at = unpacked(here.gb);
  float sum = here.r;
  float weights = 1.0;
  for (int i = 1; i <= 3; i++) {
    for (int side = 0; side < 2; side++) {
      vec4 other = texture2D(uFrom, vUv + float(side == 0 ? i : -i) * uStep);
      float weight = clamp(1.0 - abs(unpacked(other.gb) - at) / (0.25 * uRadius * float(i)), 0.0, 1.0);
      sum += weight * other.r;
      weights += weight;
    }
  }
  gl_FragColor = vec4(sum / weights, here.gba);
}`;

// For materials: the share of the light from around that reaches this pixel of the picture.
export const OCCLUSION = /* glsl */ `
uniform sampler2D uOcclusion;
uniform vec3 uOccluded;
uniform float uOccludedFar;
float openness(float distance) {
  if (uOccluded.z <= 0.0) return 1.0;
  // Only those of the four places around that are on the same surface.
  vec2 at = gl_FragCoord.xy * uOccluded.xy - 0.5;
  vec2 low = floor(at);
  vec2 part = at - low;
  ivec2 last = textureSize(uOcclusion, 0) - 1;
  float sum = 0.0;
  float weights = 0.0;
  for (int i = 0; i < 4; i++) {
    ivec2 off = ivec2(i & 1, i >> 1);
    vec4 one = texelFetch(uOcclusion, clamp(ivec2(low) + off, ivec2(0), last), 0);
    vec2 near = mix(1.0 - part, part, vec2(off));
    float there = (floor(one.g * 255.0 + 0.5) + one.b) * uOccludedFar / 255.0;
    float weight = near.x * near.y * exp(-80.0 * abs(there - distance) / distance) + 1e-5;
    sum += weight * one.r;
    weights += weight;
  }
  return mix(1.0, sum / weights, uOccluded.z);
}`;

export interface OcclusionUniforms {
  readonly uOcclusion: {value: Texture | null};
  // Its pixels for one of the picture, and its strength; 0 where there is none.
  readonly uOccluded: {value: {x: number; y: number; z: number}};
  readonly uOccludedFar: {value: number};
}

function pass(fragmentShader: string, uniforms: ShaderMaterial['uniforms']): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader,
    uniforms,
    depthTest: false,
    depthWrite: false,
    blending: NoBlending,
    toneMapped: false,
  });
}

function target(): WebGLRenderTarget {
  return new WebGLRenderTarget(1, 1, {magFilter: NearestFilter, minFilter: NearestFilter, depthBuffer: false});
}

export class Occlusion {
  readonly uniforms: OcclusionUniforms = {
    uOcclusion: {value: null},
    uOccluded: {value: {x: 1, y: 1, z: 0}},
    uOccludedFar: {value: 1},
  };
  private readonly depth = target();
  private readonly open = target();
  private readonly half = target();
  private readonly quad = new Mesh(new PlaneGeometry(2, 2));
  private readonly camera = new OrthographicCamera();
  private readonly plain = new MeshBasicMaterial({
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
    colorWrite: false,
  });
  private readonly common = {
    uUnproject: {value: new Matrix4()},
    uSize: {value: new Vector2(1, 1)},
    uFar: {value: 1},
    uRadius: {value: 0.1},
    uPerMetre: {value: 1},
  };
  private readonly horizons = pass(HORIZONS, {...this.common, uDepth: {value: null}});
  private readonly smooth = pass(SMOOTH, {...this.common, uFrom: {value: null}, uStep: {value: new Vector2()}});
  private readonly size = new Vector2();

  constructor(private readonly renderer: WebGLRenderer) {
    this.depth.depthBuffer = true;
    this.depth.depthTexture = new DepthTexture(1, 1, UnsignedIntType);
    this.quad.frustumCulled = false;
  }

  off(): void {
    this.uniforms.uOccluded.value.z = 0;
  }

  // Draws all below `root` as the camera sees it. `reach`: metres from the middle of it all to its rim.
  draw(root: Object3D, camera: PerspectiveCamera, reach: number, farther: number): void {
    const {renderer, size, common, uniforms} = this;
    renderer.getDrawingBufferSize(size);
    const [width, height] = [Math.max(1, Math.ceil(size.x / COARSER)), Math.max(1, Math.ceil(size.y / COARSER))];
    if (width !== this.open.width || height !== this.open.height) {
      [this.depth, this.open, this.half].forEach((one) => one.setSize(width, height));
    }
    common.uUnproject.value.copy(camera.projectionMatrixInverse);
    common.uSize.value.set(width, height);
    common.uRadius.value = Math.min(0.5, Math.max(0.04, 0.11 * reach));
    common.uPerMetre.value = (0.5 * height) / Math.tan((camera.fov * Math.PI) / 360);
    common.uFar.value = (20 * reach + 10) * farther;
    const to = renderer.getRenderTarget();
    this.drawDepth(root, camera);
    this.horizons.uniforms.uDepth.value = this.depth.depthTexture;
    this.run(this.horizons, this.open);
    for (const [from, into, x, y] of [
      [this.open, this.half, 1, 0],
      [this.half, this.open, 0, 1],
    ] as const) {
      this.smooth.uniforms.uFrom.value = from.texture;
      (this.smooth.uniforms.uStep.value as Vector2).set(x / width, y / height);
      this.run(this.smooth, into);
    }
    renderer.setRenderTarget(to);
    uniforms.uOcclusion.value = this.open.texture;
    uniforms.uOccluded.value = {x: width / size.x, y: height / size.y, z: 1};
    uniforms.uOccludedFar.value = common.uFar.value;
  }

  dispose(): void {
    this.depth.depthTexture?.dispose();
    [this.depth, this.open, this.half].forEach((one) => one.dispose());
    [this.plain, this.horizons, this.smooth].forEach((one) => one.dispose());
    this.quad.geometry.dispose();
  }

  private drawDepth(root: Object3D, camera: PerspectiveCamera): void {
    const meshes: [Mesh, Material | Material[]][] = [];
    const others: Object3D[] = [];
    root.traverseVisible((one) => {
      if (one instanceof Mesh) {
        meshes.push([one, one.material]);
      } else if ((one as {isLine?: boolean}).isLine) {
        others.push(one);
      }
    });
    meshes.forEach(([mesh]) => (mesh.material = mesh.customDepthMaterial ?? this.plain));
    others.forEach((one) => (one.visible = false));
    this.renderer.setRenderTarget(this.depth);
    this.renderer.clear();
    this.renderer.render(root, camera);
    meshes.forEach(([mesh, material]) => (mesh.material = material));
    others.forEach((one) => (one.visible = true));
  }

  private run(material: ShaderMaterial, into: WebGLRenderTarget): void {
    this.quad.material = material;
    this.renderer.setRenderTarget(into);
    this.renderer.render(this.quad, this.camera);
  }
}
