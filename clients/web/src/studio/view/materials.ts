// Materials of what the scene shows: three's Lambert shading with a few lines added, so that one shader does for
// cloth (two tones, light that comes through, a soft sheen at grazing angles) and for jelly and clay (a highlight).
//
// The light that comes through and the highlight are those of the key light alone.
import {
  Color,
  DoubleSide,
  FrontSide,
  MeshDepthMaterial,
  MeshLambertMaterial,
  RGBADepthPacking,
  Vector3,
  type Material,
  type DataArrayTexture,
  type Texture,
} from 'three';
import type {WebGLProgramParametersWithUniforms} from 'three';
import {patchShadows} from './shadows.js';

// Shared by all materials; the scene writes them.
export const keyLight = {
  // In view space, towards the light.
  direction: {value: new Vector3(0, 1, 0)},
  color: {value: new Color(1, 1, 1)},
};

export interface SurfaceUniforms {
  readonly back: {value: Color};
  readonly sheen: {value: number};
  readonly gloss: {value: number};
  readonly through: {value: number};
  // 1 where vertices have colours of their own.
  readonly tinted: {value: number};
  // Added at grazing angles, and a little everywhere: what is selected or under the pointer.
  readonly glow: {value: Color};
  // Maps of a fabric that is near; fine/ says what they hold.
  readonly weaveMap: {value: Texture | null};
  readonly weave: {value: Vector3};
  // 1 where the colours and images of a mesh are shown, which is only where the surface has them (dressed.ts).
  readonly dressed: {value: number};
  readonly images: {value: DataArrayTexture | null};
}

export interface SurfaceLook {
  readonly doubleSided: boolean;
  readonly sheen: number;
  readonly gloss: number;
  readonly through: number;
  // 0 a mirror, 1 matt.
  readonly roughness: number;
  // The strength of a clear varnish, 0 to 1.
  readonly coat: number;
}

export const CLOTH: SurfaceLook = {doubleSided: true, sheen: 0.3, gloss: 0, through: 0.16, roughness: 0.82, coat: 0};
export const JELLY: SurfaceLook = {doubleSided: false, sheen: 0.2, gloss: 0.35, through: 0.1, roughness: 0.42, coat: 0.5};
export const CLAY: SurfaceLook = {doubleSided: false, sheen: 0.12, gloss: 0.06, through: 0, roughness: 0.62, coat: 0};
// Only rigid bodies have these.
export const PIECE: SurfaceLook = {...CLAY, roughness: 0.3, coat: 0.7};
export const CORD: SurfaceLook = {doubleSided: false, sheen: 0.22, gloss: 0.1, through: 0, roughness: 0.75, coat: 0};

// Surfaces with images have these: the vertex shader's and the fragment shader's own, and what becomes of the colour.
export const DRESS_VERTEX = /* glsl */ `
#ifdef DRESSED
attribute vec3 place;
attribute vec3 shade;
varying vec3 vPlace;
varying vec3 vShade;
#endif
void main() {
#ifdef DRESSED
  vPlace = place;
  vShade = shade;
#endif`;

export const DRESS_PARS = /* glsl */ `
#ifdef DRESSED
uniform sampler2DArray uImages;
uniform float uDressed;
varying vec3 vPlace;
varying vec3 vShade;
#endif
void main() {`;

export const DRESS = /* glsl */ `
#ifdef DRESSED
{
  vec3 texel = texture(uImages, vec3(vPlace.xy, max(vPlace.z, 0.0))).rgb;
  vec3 color = vShade * (vPlace.z < -0.5 ? vec3(1.0) : texel);
  diffuseColor.rgb = mix(diffuseColor.rgb, color, uDressed);
}
#endif`;

const PARS = /* glsl */ `
uniform vec3 uBack;
uniform float uSheen;
uniform float uGloss;
uniform float uThrough;
uniform vec3 uGlow;
uniform float uTinted;
varying vec3 vTint;
uniform vec3 uKeyDirection;
uniform vec3 uKeyColor;
void main() {`;

const PARS_VERTEX = /* glsl */ `
attribute vec4 tint;
varying vec3 vTint;
uniform vec3 uKeyDirection;
void main() {
  vTint = tint.rgb;`;

// Shadows are looked up a little off the surface, on the side that the light is on.
export const SHADOW_SIDE = /* glsl */ `
#ifdef DOUBLE_SIDED
  transformedNormal = dot(transformedNormal, uKeyDirection) < 0.0 ? -transformedNormal : transformedNormal;
#endif
#include <shadowmap_vertex>`;

const TWO_TONES = /* glsl */ `
#include <color_fragment>
#ifdef DOUBLE_SIDED
  diffuseColor.rgb = gl_FrontFacing ? diffuseColor.rgb : uBack;
#endif
${DRESS}
diffuseColor.rgb = mix(diffuseColor.rgb, vTint, uTinted);`;

const SHEEN = /* glsl */ `
{
  vec3 toEye = normalize(vViewPosition);
  float facing = saturate(dot(normal, toEye));
  float grazing = (1.0 - facing) * (1.0 - facing);
  float lit = dot(normal, uKeyDirection);
  outgoingLight += diffuseColor.rgb * uKeyColor * (uThrough * max(0.0, -lit));
  outgoingLight += mix(diffuseColor.rgb, vec3(1.0), 0.35) * (uSheen * grazing * (0.35 + 0.65 * saturate(0.5 + 0.5 * lit)));
  if (uGloss > 0.0) {
    float highlight = pow(saturate(dot(normal, normalize(toEye + uKeyDirection))), 48.0);
    outgoingLight += uKeyColor * (uGloss * highlight * step(0.0, lit));
  }
  outgoingLight += uGlow * (0.07 + grazing * grazing);
}
#include <opaque_fragment>`;

export function surfaceUniforms(look: SurfaceLook): SurfaceUniforms {
  return {
    back: {value: new Color(1, 1, 1)},
    sheen: {value: look.sheen},
    gloss: {value: look.gloss},
    through: {value: look.through},
    tinted: {value: 0},
    glow: {value: new Color(0, 0, 0)},
    weaveMap: {value: null},
    weave: {value: new Vector3()},
    dressed: {value: 0},
    images: {value: null},
  };
}

export type Patch = (shader: WebGLProgramParametersWithUniforms) => void;

export function surfaceMaterial(
  look: SurfaceLook,
  uniforms: SurfaceUniforms,
  patch: Patch | null = null,
  patchKey = '',
): MeshLambertMaterial {
  const material = new MeshLambertMaterial({
    side: look.doubleSided ? DoubleSide : FrontSide,
    // Lines that are drawn on the surface lie before it.
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      uBack: uniforms.back,
      uSheen: uniforms.sheen,
      uGloss: uniforms.gloss,
      uThrough: uniforms.through,
      uGlow: uniforms.glow,
      uTinted: uniforms.tinted,
      uDressed: uniforms.dressed,
      uImages: uniforms.images,
      uKeyDirection: keyLight.direction,
      uKeyColor: keyLight.color,
    });
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', DRESS_VERTEX)
      .replace('void main() {', PARS_VERTEX)
      .replace('#include <shadowmap_vertex>', SHADOW_SIDE);
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', DRESS_PARS)
      .replace('void main() {', PARS)
      .replace('#include <color_fragment>', TWO_TONES)
      .replace('#include <opaque_fragment>', SHEEN);
    patchShadows(shader);
    patch?.(shader);
  };
  material.customProgramCacheKey = () => `surface ${patchKey}`;
  return material;
}

// -- capsules between two points, one an instance

const CAPSULE_PARS = /* glsl */ `
attribute float end;
attribute vec3 fromPoint;
attribute vec3 toPoint;
uniform float uRadius;
void capsuleFrame(out vec3 side, out vec3 axis, out vec3 other) {
  vec3 along = toPoint - fromPoint;
  float along2 = dot(along, along);
  axis = along2 > 1e-16 ? along * inversesqrt(along2) : vec3(0.0, 1.0, 0.0);
  vec3 helper = abs(axis.x) < 0.8 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0);
  side = normalize(cross(axis, helper));
  other = cross(side, axis);
}
void main() {
  vec3 side, axis, other;
  capsuleFrame(side, axis, other);
  vec3 outward = position.x * side + position.y * axis + position.z * other;`;

const CAPSULE_POSITION = /* glsl */ `
vec3 transformed = mix(fromPoint, toPoint, end) + uRadius * outward;`;

const CAPSULE_NORMAL = /* glsl */ `
vec3 objectNormal = outward;`;

function capsulePatch(radius: {value: number}): Patch {
  return (shader) => {
    shader.uniforms.uRadius = radius;
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', CAPSULE_PARS)
      .replace('#include <beginnormal_vertex>', CAPSULE_NORMAL)
      .replace('#include <begin_vertex>', CAPSULE_POSITION);
  };
}

export function capsuleMaterials(
  look: SurfaceLook,
  uniforms: SurfaceUniforms,
  radius: {value: number},
): {readonly surface: MeshLambertMaterial; readonly depth: Material; readonly patch: Patch} {
  const patch = capsulePatch(radius);
  const depth = new MeshDepthMaterial({depthPacking: RGBADepthPacking});
  depth.onBeforeCompile = patch;
  depth.customProgramCacheKey = () => 'capsule depth';
  return {surface: surfaceMaterial(look, uniforms, patch, 'capsule'), depth, patch};
}
