// Surfaces as they look near by: physically shaded, with the weave of the fabric, light that comes through it, sheen at
// grazing angles, and less light in folds.
import {
  DoubleSide,
  FrontSide,
  MeshPhysicalMaterial,
  ShaderChunk,
  type IUniform,
  type WebGLProgramParametersWithUniforms,
} from 'three';
import {DRESS, DRESS_PARS, DRESS_VERTEX, keyLight, SHADOW_SIDE, type Patch, type SurfaceLook, type SurfaceUniforms} from '../materials.js';
import {OCCLUSION} from './occlusion.js';
import {PENUMBRA} from './penumbra.js';

const PARS_VERTEX = /* glsl */ `
uniform vec3 uKeyDirection;
#ifdef FABRIC
attribute vec3 rest;
varying vec3 vRest;
#endif
void main() {
#ifdef FABRIC
  vRest = rest;
#endif`;

const PARS = /* glsl */ `
uniform vec3 uBack;
uniform float uSheen;
uniform float uThrough;
uniform vec3 uGlow;
${OCCLUSION}
#ifdef FABRIC
varying vec3 vRest;
uniform sampler2D uWeaveMap;
// Repeats of the map for each metre, metres of its height, and one over its mean shade.
uniform vec3 uWeave;
vec2 weaveAt() {
  // Along the side of the rest shape's box that the triangle faces most.
  vec3 facing = abs(cross(dFdx(vRest), dFdy(vRest)));
  bool ofZ = facing.z >= facing.x && facing.z >= facing.y;
  return (ofZ ? vRest.xy : facing.y >= facing.x ? vRest.xz : vRest.zy) * uWeave.x;
}
#endif
void main() {`;

const COLOR = /* glsl */ `
#include <color_fragment>
#ifdef DOUBLE_SIDED
  diffuseColor.rgb = gl_FrontFacing ? diffuseColor.rgb : uBack;
#endif
${DRESS}
#ifdef FABRIC
  vec2 woven = weaveAt();
  vec2 thread = texture2D(uWeaveMap, woven).rg;
  diffuseColor.rgb *= thread.g * uWeave.z;
#endif`;

// Mikkelsen, Bump Mapping Unparametrized Surfaces on the GPU (2010).
const NORMAL = /* glsl */ `
#include <normal_fragment_maps>
#ifdef FABRIC
{
  vec2 wx = dFdx(woven), wy = dFdy(woven);
  float hx = (texture2D(uWeaveMap, woven + wx).r - thread.r) * uWeave.y;
  float hy = (texture2D(uWeaveMap, woven + wy).r - thread.r) * uWeave.y;
  vec3 sx = dFdx(-vViewPosition), sy = dFdy(-vViewPosition);
  vec3 rx = cross(sy, normal), ry = cross(normal, sx);
  float det = dot(sx, rx);
  normal = normalize(abs(det) * normal - sign(det) * (hx * rx + hy * ry));
}
#endif`;

const MATERIAL = /* glsl */ `
#include <lights_physical_fragment>
#ifdef USE_SHEEN
  material.sheenColor = mix(diffuseColor.rgb, vec3(1.0), 0.3) * uSheen;
#endif
vec3 keyArrives = vec3(0.0);
`;

// Light from around comes from the environment alone, and what the key light's shadow leaves is kept.
const LIGHTS = ShaderChunk.lights_fragment_begin
  .replace(/#if \( NUM_HEMI_LIGHTS > 0 \)[\s\S]*?#endif/, '')
  .replace(
    /(directionalLightShadow\.shadowIntensity[^\n]*\n\s*#endif)/,
    '$1\n\t\t#if UNROLLED_LOOP_INDEX == 0\n\t\tkeyArrives = directLight.color;\n\t\t#endif',
  );

const FOLDS = /* glsl */ `
{
  float open = openness(vViewPosition.z);
  // Light goes on from surface to surface, and takes their colour along.
  vec3 folds = mix(vec3(open), vec3(1.0), 0.35 * (1.0 - open) * diffuseColor.rgb);
  reflectedLight.indirectDiffuse *= folds;
  reflectedLight.directDiffuse *= mix(1.0, open, 0.25);
  float seen = saturate(dot(geometryNormal, geometryViewDir));
  float mirrored = saturate(pow(seen + open, exp2(-16.0 * material.roughness - 1.0)) - 1.0 + open);
  reflectedLight.indirectSpecular *= mirrored;
  #ifdef USE_CLEARCOAT
    clearcoatSpecularIndirect *= mirrored;
  #endif
  #ifdef USE_SHEEN
    sheenSpecularIndirect *= open;
  #endif
}`;

const LAST = /* glsl */ `
outgoingLight += diffuseColor.rgb * keyArrives * (uThrough * max(0.0, -dot(geometryNormal, uKeyDirection)) / PI);
{
  float grazing = pow(1.0 - saturate(dot(geometryNormal, geometryViewDir)), 2.0);
  outgoingLight += uGlow * (0.07 + grazing * grazing);
}
#include <opaque_fragment>`;

export interface FineOptions {
  readonly patch: Patch | null;
  readonly key: string;
  readonly fabric: boolean;
}

export function fineSurface(
  look: SurfaceLook,
  uniforms: SurfaceUniforms,
  common: Record<string, IUniform>,
  {patch, key, fabric}: FineOptions,
): MeshPhysicalMaterial {
  const material = new MeshPhysicalMaterial({
    side: look.doubleSided ? DoubleSide : FrontSide,
    roughness: look.roughness,
    metalness: 0,
    clearcoat: look.coat,
    clearcoatRoughness: 0.18,
    sheen: look.sheen > 0.15 ? 1 : 0,
    sheenRoughness: 0.55,
    specularIntensity: fabric ? 0.5 : 1,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  if (fabric) {
    material.defines!.FABRIC = '';
  }
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    Object.assign(shader.uniforms, common, {
      uBack: uniforms.back,
      uSheen: {value: 0.6 * look.sheen},
      uThrough: {value: 2.6 * look.through},
      uGlow: uniforms.glow,
      uKeyDirection: keyLight.direction,
      uWeaveMap: uniforms.weaveMap,
      uWeave: uniforms.weave,
      uDressed: uniforms.dressed,
      uImages: uniforms.images,
    });
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', DRESS_VERTEX)
      .replace('void main() {', PARS_VERTEX)
      .replace('#include <shadowmap_vertex>', SHADOW_SIDE);
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', DRESS_PARS)
      .replace('void main() {', PARS)
      .replace('#include <color_fragment>', COLOR)
      .replace('#include <normal_fragment_maps>', NORMAL)
      .replace('#include <lights_physical_fragment>', MATERIAL)
      .replace('#include <lights_fragment_begin>', LIGHTS)
      .replace('#include <aomap_fragment>', FOLDS)
      .replace('#include <opaque_fragment>', LAST)
      .replace('#include <shadowmap_pars_fragment>', `#define SHADOW_NORMAL vNormal\n${PENUMBRA}`);
    patch?.(shader);
  };
  material.customProgramCacheKey = () => `fine ${key}`;
  return material;
}
