// The picture at its best: materials, soft shadows, light from around. It is loaded after the first picture, and drawn
// where the machine is fast enough; quality.ts says where.
import type {IUniform, MeshPhysicalMaterial, Texture, WebGLRenderer} from 'three';
import type {WebGLProgramParametersWithUniforms} from 'three';
import type {Weave} from '../../model/viewstate.js';
import {keyLight, type Patch, type SurfaceLook, type SurfaceUniforms} from '../materials.js';
import type {ShadowFrame} from '../sky.js';
import type {SceneTheme} from '../theme.js';
import {Environment} from './environment.js';
import {Occlusion, OCCLUSION} from './occlusion.js';
import {PENUMBRA} from './penumbra.js';
import {fineSurface} from './surface.js';
import {weaveMap, type WeaveMap} from './weave.js';

// A ground gets less light where things stand on it.
const GROUND_SHADE = /* glsl */ `
float open = openness(vFromEye);
vec3 color = mix(uShade, uLit, getShadowMask()) * mix(1.0, pow(open, 0.7), 0.8);`;

export interface FineSurfaceOf {
  readonly fabric?: boolean;
  readonly patch?: Patch | null;
  readonly key?: string;
}

export class Fine {
  readonly occlusion: Occlusion;
  private readonly environment: Environment;
  private readonly weaves = new Map<Weave, WeaveMap>();
  private readonly common: Record<string, IUniform>;
  private readonly anisotropy: number;
  private readonly materials = new Set<MeshPhysicalMaterial>();
  private mirrored: Texture | null = null;

  // `map`: how the map of shadows lies; sky.ts says more.
  constructor(renderer: WebGLRenderer, map: ShadowFrame) {
    this.occlusion = new Occlusion(renderer);
    this.environment = new Environment(renderer);
    this.anisotropy = Math.min(8, renderer.capabilities.getMaxAnisotropy());
    this.common = {...this.occlusion.uniforms, uShadowSpan: map.span, uShadowRight: map.right, uShadowUp: map.up};
  }

  surface(
    look: SurfaceLook,
    uniforms: SurfaceUniforms,
    {fabric = false, patch = null, key = ''}: FineSurfaceOf = {},
  ): MeshPhysicalMaterial {
    const material = fineSurface(look, uniforms, this.common, {patch, key, fabric});
    material.envMap = this.mirrored;
    this.materials.add(material);
    material.addEventListener('dispose', () => this.materials.delete(material));
    return material;
  }

  // Gives a surface the weave of a fabric.
  weave(uniforms: SurfaceUniforms, weave: Weave): void {
    const map = this.weaves.get(weave) ?? weaveMap(weave, this.anisotropy);
    this.weaves.set(weave, map);
    uniforms.weaveMap.value = map.texture;
    uniforms.weave.value.set(map.perMetre, map.depth, map.lighter);
  }

  readonly ground = (shader: WebGLProgramParametersWithUniforms): void => {
    Object.assign(shader.uniforms, this.common, {uKeyDirection: keyLight.direction});
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', 'varying float vFromEye;\nvoid main() {')
      .replace('void main() {', 'varying vec3 vFacing;\nvoid main() {')
      .replace(
        '#include <project_vertex>',
        '#include <project_vertex>\nvFromEye = -mvPosition.z;\nvFacing = normalMatrix * vec3(0.0, 1.0, 0.0);',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', `varying float vFromEye;\n${OCCLUSION}\nvoid main() {`)
      .replace('vec3 color = mix(uShade, uLit, getShadowMask());', GROUND_SHADE)
      .replace(
        '#include <shadowmap_pars_fragment>',
        `varying vec3 vFacing;\n#define SHADOW_NORMAL vFacing\n${PENUMBRA}`,
      );
  };

  // Before surfaces are made. The scene's own environment would light plain materials too, and so colours that mean
  // something.
  paint(theme: SceneTheme): void {
    this.mirrored = this.environment.of(theme);
    this.materials.forEach((material) => (material.envMap = this.mirrored));
  }

  // The room that surfaces mirror is drawn again with the next paint().
  renew(): void {
    this.environment.dispose();
  }

  dispose(): void {
    this.occlusion.dispose();
    this.environment.dispose();
    this.weaves.forEach(({texture}) => texture.dispose());
  }
}
