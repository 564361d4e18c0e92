// Shadows that are sharp where they begin and softer the farther away they fall, as those of a lamp of some size.
//
// The map of shadows answers only whether something is in front of a depth. So a few layers are asked: the shares of a
// disc that are hidden by things at least so far in front add up to how far in front they are on the mean. That gives the
// width of the shadow's rim, and a second disc of that width says how much light comes through. Places on a disc are
// turned from pixel to pixel, or they would show as steps.
//
// SHADOW_NORMAL is how the surface faces, and uKeyDirection where the light is, both as the camera sees them.
import {LOOKUP_HEAD} from '../shadows.js';

export const PENUMBRA = /* glsl */ `
uniform vec3 uKeyDirection;
#if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
${LOOKUP_HEAD}
// Metres that the map's depth and its width stand for.
uniform vec2 uShadowSpan;
// Along the map's sides, as the camera sees them.
uniform vec3 uShadowRight;
uniform vec3 uShadowUp;
const float LAMP = 0.075;
const float WIDEST = 26.0;
const int SEARCHED = 8;
const int TAKEN = 28;
vec2 onDisc(int i, int count, float turn) {
  float radius = sqrt((float(i) + 0.5) / float(count));
  float angle = 2.39996323 * float(i) + turn;
  return radius * vec2(cos(angle), sin(angle));
}
float getShadow(sampler2DShadow map, vec2 size, float intensity, float bias, float radius, vec4 coord) {
  vec3 at = coord.xyz;
  vec2 off = abs(at.xy - 0.5);
  // How the depth of the lit plane itself changes along the map, or wide discs would meet it.
  vec3 facing = SHADOW_NORMAL;
  float towards = dot(facing, uKeyDirection);
  vec2 slope = vec2(dot(facing, uShadowRight), dot(facing, uShadowUp)) / (towards < 0.0 ? min(towards, -0.2) : max(towards, 0.2));
  slope = clamp(slope, -2.5, 2.5) * uShadowSpan.y / uShadowSpan.x;
  if (max(off.x, off.y) >= 0.5 || at.z > 1.0) return 1.0;
  at.z += bias;
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float texel = 1.0 / size.x;
  float reach = WIDEST * texel;
  // In depth, of what throws a rim as wide as the reach.
  float far = reach * uShadowSpan.y / (LAMP * uShadowSpan.x);
  float hidden = 0.0;
  float away = 0.0;
  for (int i = 0; i < SEARCHED; i++) {
    vec2 step = onDisc(i, SEARCHED, turn) * reach;
    float z = at.z + dot(slope, step);
    float nearest = 1.0 - texture(map, vec3(at.xy + step, z - 0.02 * far));
    hidden += nearest;
    if (nearest > 0.0) {
      float second = 1.0 - texture(map, vec3(at.xy + step, z - 0.15 * far));
      float third = 1.0 - texture(map, vec3(at.xy + step, z - 0.4 * far));
      away += 0.15 * nearest + 0.25 * second + 0.6 * third;
    }
  }
  float lit = 1.0;
  float wide = texel * 1.3;
  if (hidden > 0.0) wide = max(wide, reach * away / hidden);
  lit = 0.0;
  for (int i = 0; i < TAKEN; i++) {
    vec2 step = onDisc(i, TAKEN, turn) * wide;
    lit += texture(map, vec3(at.xy + step, at.z + dot(slope, step)));
  }
  lit /= float(TAKEN);
  lit = mix(lit, 1.0, smoothstep(0.46, 0.5, max(off.x, off.y)));
  return mix(1.0, lit, intensity);
}
#endif`;
