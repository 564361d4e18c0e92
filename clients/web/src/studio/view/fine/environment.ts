// Glossy things mirror a small room, which also lights shadows. It is made here, with a sky, a floor and some soft
// lamps, in the colours of the theme.
import {
  BackSide,
  Color,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
  type Texture,
  type WebGLRenderer,
  type WebGLRenderTarget,
} from 'three';
import {TO_FILL, TO_KEY} from '../sky.js';
import type {SceneTheme} from '../theme.js';

const DOME_VERTEX = /* glsl */ `
varying vec3 vAt;
void main() {
  vAt = position;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const DOME_FRAGMENT = /* glsl */ `
varying vec3 vAt;
uniform vec3 uSky;
uniform vec3 uGround;
void main() {
  float up = normalize(vAt).y;
  gl_FragColor = vec4(mix(uGround, uSky, smoothstep(-0.35, 0.35, up)), 1.0);
}`;

interface Lamp {
  readonly towards: Vector3;
  readonly width: number;
  readonly height: number;
  readonly strength: number;
  readonly color: Color;
}

const DISTANCE = 8;

export class Environment {
  private made: WebGLRenderTarget | null = null;
  private theme: SceneTheme | null = null;

  constructor(private readonly renderer: WebGLRenderer) {}

  // Light from around, as materials look it up.
  of(theme: SceneTheme): Texture {
    if (!this.made || this.theme !== theme) {
      this.dispose();
      this.theme = theme;
      this.made = this.make(theme);
    }
    return this.made.texture;
  }

  dispose(): void {
    this.made?.dispose();
    this.made = null;
  }

  private make(theme: SceneTheme): WebGLRenderTarget {
    const scene = new Scene();
    // Somewhat less than a hemisphere of this strength gives, for the lamps give some too.
    const share = (0.85 * theme.hemiStrength) / Math.PI;
    const dome = new ShaderMaterial({
      vertexShader: DOME_VERTEX,
      fragmentShader: DOME_FRAGMENT,
      side: BackSide,
      toneMapped: false,
      uniforms: {
        uSky: {value: theme.hemiSky.clone().multiplyScalar(0.94 * share)},
        uGround: {value: theme.hemiGround.clone().multiplyScalar(share)},
      },
    });
    scene.add(new Mesh(new SphereGeometry(20, 32, 16), dome));
    const lamps: Lamp[] = [
      {towards: TO_KEY, width: 5, height: 5, strength: 3.2, color: theme.key},
      {towards: TO_FILL, width: 3, height: 8, strength: 1.6, color: theme.fill},
      {towards: new Vector3(0.2, 0.25, -1).normalize(), width: 10, height: 2, strength: 1.5, color: theme.hemiSky},
    ];
    for (const {towards, width, height, strength, color} of lamps) {
      const material = new MeshBasicMaterial({color: color.clone().multiplyScalar(strength), toneMapped: false});
      const lamp = new Mesh(new PlaneGeometry(width, height), material);
      lamp.position.copy(towards).multiplyScalar(DISTANCE);
      lamp.lookAt(0, 0, 0);
      scene.add(lamp);
    }
    const generator = new PMREMGenerator(this.renderer);
    const made = generator.fromScene(scene, 0.03, 0.1, 50);
    generator.dispose();
    scene.traverse((one) => {
      if (one instanceof Mesh) {
        one.geometry.dispose();
        (one.material as MeshBasicMaterial).dispose();
      }
    });
    return made;
  }
}
