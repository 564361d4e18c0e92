// One collider in the scene. A plane is a ground that fades into the distance, with a soft grid in metres; the others
// are matte solids.
//
// A ground fills most of the picture, so its shader does little: light falls alike on all of it, and is worked out
// here, as the screen shows it; what is left are the shadow, the grid and the fading.
import {
  BoxGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Color,
  DoubleSide,
  Mesh,
  PlaneGeometry,
  ShadowMaterial,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
  type Material,
  type MeshLambertMaterial,
  type MeshPhysicalMaterial,
} from 'three';
import type {Vec3, Vec4} from '../../lib/index.js';
import type {Collider} from '../model/values.js';
import type {Paint} from './body.js';
import type {Fine} from './fine/index.js';
import {fieldGeometry} from './heights.js';
import {hullGeometry} from './hull.js';
import {CLAY, surfaceMaterial, surfaceUniforms, type SurfaceUniforms} from './materials.js';
import {patchShadows} from './shadows.js';
import {TO_FILL, TO_KEY} from './sky.js';
import type {SceneTheme} from './theme.js';
import {displayed} from './tone.js';

// Of a ground, and of a wall, which would hide what stands behind it.
const GROUND_RADIUS = 26;
const WALL_RADIUS = 3;
// In steps of the depth buffer.
const DEPTH_BEHIND = 200;

const GROUND_PARS_VERTEX = /* glsl */ `
varying vec3 vGround;
varying vec3 vToGround;
void main() {`;

const GROUND_POSITION = /* glsl */ `
#include <begin_vertex>
vGround = transformed * vec3(length(modelMatrix[0].xyz), 1.0, length(modelMatrix[2].xyz));
vToGround = (modelMatrix * vec4(transformed, 1.0)).xyz - cameraPosition;`;

const GROUND_PARS = /* glsl */ `
varying vec3 vGround;
varying vec3 vToGround;
uniform vec3 uHorizon;
uniform vec3 uBottom;
uniform float uWhole;
uniform vec3 uShade;
uniform vec3 uLit;
uniform vec3 uFine;
uniform vec3 uCoarse;
uniform float uGrid;
uniform float uRadius;
uniform vec2 uMiddle;
uniform vec3 uGlow;
// How much of the pixel a line of the grid covers; lines that are too close fade.
float gridLine(vec2 at, vec2 pixel, float width) {
  vec2 off = abs(fract(at - 0.5) - 0.5);
  vec2 line = clamp((width + 0.5) - off / pixel, 0.0, 1.0) * clamp(1.4 - 3.0 * pixel, 0.0, 1.0);
  return max(line.x, line.y);
}
void main() {`;

const GROUND_COLOR = /* glsl */ `
float away = length(vGround.xz - uMiddle) / uRadius;
float fade = 1.0 - smoothstep(0.25, 1.0, away);
// From below it is but a veil.
fade *= gl_FrontFacing ? 1.0 : 0.25;
vec2 pixel = fwidth(vGround.xz);
float coarse = gridLine(vGround.xz, pixel, 0.6) * clamp(1.6 - 2.0 * away, 0.0, 1.0);
float fine = gridLine(vGround.xz * 5.0, pixel * 5.0, 0.4) * clamp(1.2 - 3.0 * away, 0.0, 1.0);
vec3 color = mix(uShade, uLit, getShadowMask());
color = mix(color, mix(uFine, uCoarse, coarse), uGrid * max(0.45 * fine, coarse));
vec3 sky = mix(uHorizon, uBottom, clamp(-2.2 * normalize(vToGround).y, 0.0, 1.0));
// Seen from above it goes over into the sky by itself, so that nothing need be drawn behind it.
color = mix(color + uGlow, sky, uWhole * (1.0 - fade));
gl_FragColor = vec4(color, mix(fade, 1.0, uWhole));`;

interface GroundUniforms {
  readonly uShade: {value: Color};
  readonly uLit: {value: Color};
  readonly uFine: {value: Color};
  readonly uCoarse: {value: Color};
  readonly uGrid: {value: number};
  readonly uRadius: {value: number};
  readonly uMiddle: {value: {x: number; y: number}};
  readonly uGlow: {value: Color};
  readonly uHorizon: {value: Color};
  readonly uBottom: {value: Color};
  // 1 where it is drawn without anything shining through.
  readonly uWhole: {value: number};
}

export class ColliderView {
  readonly mesh: Mesh<BufferGeometry, Material>;
  private readonly surface: SurfaceUniforms | null = null;
  private readonly ground: GroundUniforms | null = null;
  private readonly local = new Vector3();
  private readonly tint = new Color();
  // Of a ground, before light falls on it.
  private readonly base = new Color();
  private theme: SceneTheme | null = null;
  // Those that it has, of which the mesh shows one.
  private readonly plain: Material;
  private fine: Material | null = null;
  private shape = '';
  // Too many to compare one by one, each time that it moves.
  private heights: Float64Array | null = null;

  source: Collider;

  constructor(public collider: Collider) {
    this.source = collider;
    if (collider.kind === 'plane') {
      this.ground = {
        uShade: {value: new Color()},
        uLit: {value: new Color()},
        uFine: {value: new Color()},
        uCoarse: {value: new Color()},
        uGrid: {value: 0.2},
        uRadius: {value: GROUND_RADIUS},
        uMiddle: {value: {x: 0, y: 0}},
        uGlow: {value: new Color(0, 0, 0)},
        uHorizon: {value: new Color()},
        uBottom: {value: new Color()},
        uWhole: {value: 0},
      };
      this.mesh = new Mesh(new PlaneGeometry(2, 2).rotateX(-Math.PI / 2), groundMaterial(this.ground));
      // After what stands on it.
      this.mesh.renderOrder = 1;
    } else {
      this.surface = surfaceUniforms(CLAY);
      const material = surfaceMaterial(CLAY, this.surface);
      // A cloth's particles stay outside, but between two of them an edge would come through: what is no deeper than
      // a few thousandths of the distance lies behind it.
      material.polygonOffsetUnits = DEPTH_BEHIND;
      this.mesh = new Mesh(new SphereGeometry(1, 8, 8), material);
      this.mesh.castShadow = true;
    }
    this.plain = this.mesh.material;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.update(collider);
  }

  get id(): number {
    return this.collider.collider;
  }

  // Whether the pointer goes through it.
  passed = false;

  // Nobody sees it on this page, so nothing can be taken there.
  get hidden(): boolean {
    return !this.mesh.visible;
  }

  // As the document has it.
  update(collider: Collider): void {
    this.source = collider;
    this.show(collider);
  }

  // Where a frame shows it, which the document does not tell of one that goes by keyframes.
  move(position: Vec3, rotation: Vec4): void {
    this.show({...this.source, position, rotation});
  }

  private show(collider: Collider): void {
    this.collider = collider;
    this.mesh.position.fromArray(collider.position as unknown as number[]);
    this.mesh.quaternion.fromArray(collider.rotation as unknown as number[]);
    this.mesh.updateMatrixWorld();
    this.light();
    const {kind, radius, length, half_extents: half, points, columns, spacing} = collider;
    const shape = [kind, radius, length, ...half, ...points, columns, spacing].join();
    if ((shape !== this.shape || collider.heights !== this.heights) && kind !== 'plane') {
      this.shape = shape;
      this.heights = collider.heights;
      this.mesh.geometry.dispose();
      this.mesh.geometry = geometryOf(collider);
    }
  }

  // The ground goes with the camera, but its grid stays.
  follow(target: Vector3, eye: Vector3): void {
    if (!this.ground) {
      return;
    }
    const level = this.collider.normal[1] > 0.7;
    const radius = level
      ? GROUND_RADIUS + 0.8 * Math.max(0, target.distanceTo(this.mesh.position) - GROUND_RADIUS)
      : WALL_RADIUS;
    this.local.copy(target);
    this.mesh.worldToLocal(this.local);
    // worldToLocal sees the scale that was set last.
    this.local.multiply(this.mesh.scale);
    if (!level) {
      this.local.set(0, 0, 0);
    }
    const reach = radius + this.local.length();
    const [x, y, z] = this.collider.normal;
    const above =
      (eye.x - this.mesh.position.x) * x +
        (eye.y - this.mesh.position.y) * y +
        (eye.z - this.mesh.position.z) * z >
      0;
    const whole = level && above;
    this.ground.uWhole.value = whole ? 1 : 0;
    this.mesh.material.transparent = !whole;
    this.ground.uRadius.value = radius;
    this.ground.uMiddle.value = {x: this.local.x, y: this.local.z};
    this.mesh.scale.set(reach, 1, reach);
    this.mesh.updateMatrixWorld();
  }

  // Materials at their best, or the plain ones.
  private dress(fine: Fine | null): void {
    if (fine && !this.fine) {
      this.fine = this.ground ? groundMaterial(this.ground, fine) : this.fineSolid(fine);
    }
    this.mesh.material = (fine && this.fine) ?? this.plain;
  }

  private fineSolid(fine: Fine): MeshPhysicalMaterial {
    const material = fine.surface(CLAY, this.surface!);
    material.color = (this.plain as MeshLambertMaterial).color;
    material.polygonOffsetUnits = DEPTH_BEHIND;
    return material;
  }

  paint({theme, own, fine}: Paint): void {
    this.theme = theme;
    this.dress(fine);
    const look = own.get(`collider:${this.id}`);
    this.mesh.visible = look?.hidden !== true;
    this.passed = this.hidden || look?.locked === true;
    if (this.ground) {
      this.ground.uFine.value.copy(theme.gridFine).convertLinearToSRGB();
      this.ground.uCoarse.value.copy(theme.gridCoarse).convertLinearToSRGB();
      this.ground.uGrid.value = theme.gridStrength;
      this.ground.uHorizon.value.copy(theme.skyHorizon).convertLinearToSRGB();
      this.ground.uBottom.value.copy(theme.skyBottom).convertLinearToSRGB();
      this.base.copy(look?.color ? this.tint.set(look.color) : theme.ground);
      this.light();
    } else {
      const {color} = this.plain as MeshLambertMaterial;
      color.copy(look?.color ? this.tint.set(look.color) : theme.collider);
    }
  }

  // Lambert: color / π · (key + fill + hemisphere), the key's part being what a shadow takes away.
  private light(): void {
    const {ground, theme} = this;
    if (!ground || !theme) {
      return;
    }
    const up = this.local.set(...(this.collider.normal as [number, number, number])).normalize();
    const facing = (towards: Vector3) => Math.max(0, up.dot(towards));
    const shade = ground.uShade.value.copy(theme.hemiGround).lerp(theme.hemiSky, 0.5 + 0.5 * up.y);
    shade
      .multiplyScalar(theme.hemiStrength)
      .add(this.tint.copy(theme.fill).multiplyScalar(theme.fillStrength * facing(TO_FILL)));
    shade.multiply(this.base).multiplyScalar(1 / Math.PI);
    const key = this.tint
      .copy(theme.key)
      .multiply(this.base)
      .multiplyScalar((theme.keyStrength * facing(TO_KEY)) / Math.PI);
    displayed(ground.uLit.value.copy(shade).add(key));
    displayed(shade);
  }

  glow(color: Color | null, strength: number): void {
    const glow = this.surface?.glow.value ?? this.ground!.uGlow.value;
    if (color) {
      glow.copy(color).multiplyScalar(this.ground ? 0.06 * strength : strength);
    } else {
      glow.set(0, 0, 0);
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.plain.dispose();
    this.fine?.dispose();
  }
}

function geometryOf(collider: Collider): BufferGeometry {
  switch (collider.kind) {
    case 'box': {
      const [x, y, z] = collider.half_extents;
      return new BoxGeometry(2 * x, 2 * y, 2 * z);
    }
    case 'convex':
      return hullGeometry(collider.points);
    case 'height_field':
      return fieldGeometry(collider);
    case 'cylinder':
      return new CylinderGeometry(collider.radius, collider.radius, collider.length, 56);
    case 'capsule':
      return new CapsuleGeometry(collider.radius, collider.length, 16, 40);
    default:
      return new SphereGeometry(collider.radius, 56, 36);
  }
}

function groundMaterial(uniforms: GroundUniforms, fine: Fine | null = null): ShadowMaterial {
  const material = new ShadowMaterial({
    side: DoubleSide,
    // In two passes three would turn the faces round, and from below would count as from above.
    forceSinglePass: true,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', GROUND_PARS_VERTEX)
      .replace('#include <begin_vertex>', GROUND_POSITION);
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', GROUND_PARS)
      .replace(/gl_FragColor = [^;]*;/, GROUND_COLOR)
      .replace('#include <tonemapping_fragment>', '')
      .replace('#include <colorspace_fragment>', '');
    if (fine) {
      fine.ground(shader);
    } else {
      patchShadows(shader);
    }
  };
  material.customProgramCacheKey = () => (fine ? 'fine ground' : 'ground');
  return material;
}
