// How shadows are looked up: what is lit by the key light alone, in few steps. three's own way takes five places on a
// disc that is turned by noise from pixel to pixel, which costs more than all the rest and shows as grain.
//
// Each lookup compares four texels and blends them; nine lookups side by side make an edge five texels soft. Where the
// processor draws, one has to do.
import type {WebGLProgramParametersWithUniforms} from 'three';

// Names that three.js' own chunk declares and others use.
export const LOOKUP_HEAD = /* glsl */ `uniform sampler2DShadow directionalShadowMap[NUM_DIR_LIGHT_SHADOWS];
varying vec4 vDirectionalShadowCoord[NUM_DIR_LIGHT_SHADOWS];
struct DirectionalLightShadow {
  float shadowIntensity;
  float shadowBias;
  float shadowNormalBias;
  float shadowRadius;
  vec2 shadowMapSize;
};
uniform DirectionalLightShadow directionalLightShadows[NUM_DIR_LIGHT_SHADOWS];`;

const LOOKUP = /* glsl */ `
#if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
${LOOKUP_HEAD}
float getShadow(sampler2DShadow map, vec2 size, float intensity, float bias, float radius, vec4 coord) {
  vec3 at = coord.xyz;
  at.z += bias;
  vec2 off = abs(at.xy - 0.5);
  if (max(off.x, off.y) >= 0.5 || at.z > 1.0) return 1.0;
#if SHADOW_TAPS == 1
  float lit = texture(map, at);
#else
  vec2 texel = radius / size;
  float lit = 0.0;
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      lit += texture(map, vec3(at.xy + texel * vec2(i, j), at.z));
    }
  }
  lit /= 9.0;
#endif
  // Towards the rim of what the light reaches, shadows end softly.
  lit = mix(lit, 1.0, smoothstep(0.46, 0.5, max(off.x, off.y)));
  return mix(1.0, lit, intensity);
}
#endif`;

let taps = 9;

// Before the first drawing: 9, or 1 where the processor draws.
export function setShadowTaps(count: 1 | 9): void {
  taps = count;
}

export function patchShadows(shader: WebGLProgramParametersWithUniforms): void {
  const lookup = `#define SHADOW_TAPS ${taps}\n${LOOKUP}`;
  shader.fragmentShader = shader.fragmentShader.replace('#include <shadowmap_pars_fragment>', lookup);
}
