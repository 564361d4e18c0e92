// What is behind everything: a gradient from the horizon up and down, and two lights that throw no shadow beside one
// that does.
import {
  BackSide,
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  Matrix4,
  Mesh,
  ShaderMaterial,
  SphereGeometry,
  Vector2,
  Vector3,
  type Camera,
  type Scene,
} from 'three';
import {keyLight} from './materials.js';
import type {SceneTheme} from './theme.js';

const VERTEX = /* glsl */ `
varying vec3 vColor;
uniform vec3 uTop;
uniform vec3 uHorizon;
uniform vec3 uBottom;
void main() {
  // The gradient is that of a few rings of the dome: the card has less to do than for each pixel.
  float up = position.y;
  vColor = up > 0.0 ? mix(uHorizon, uTop, pow(min(1.0, up * 1.4), 0.7)) : mix(uHorizon, uBottom, min(1.0, -up * 2.2));
  // At the far plane, wherever the camera is.
  gl_Position = (projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0)).xyww;
}`;

const FRAGMENT = /* glsl */ `
#include <common>
#include <dithering_pars_fragment>
varying vec3 vColor;
void main() {
  gl_FragColor = vec4(vColor, 1.0);
  #include <dithering_fragment>
}`;

// From where the key light comes.
export const TO_KEY = new Vector3(0.48, 0.92, 0.6).normalize();
export const TO_FILL = new Vector3(-0.85, 0.3, 0.45).normalize();

// How the map of shadows lies.
export interface ShadowFrame {
  // Metres that its depth and its width stand for.
  readonly span: {value: Vector2};
  // Along its sides, as the camera sees them.
  readonly right: {value: Vector3};
  readonly up: {value: Vector3};
}

export class Sky {
  private readonly uniforms = {
    uTop: {value: new Color()},
    uHorizon: {value: new Color()},
    uBottom: {value: new Color()},
  };
  private readonly dome: Mesh;
  private readonly key = new DirectionalLight();
  private readonly fill = new DirectionalLight();
  private readonly hemisphere = new HemisphereLight();
  private readonly view = new Matrix4();
  private readonly middle = new Vector3();
  private readonly size = new Vector3();
  // Metres from the middle of all that the light reaches to its rim.
  reach = 0;
  readonly map: ShadowFrame = {
    span: {value: new Vector2(1, 1)},
    right: {value: new Vector3()},
    up: {value: new Vector3()},
  };

  constructor(
    scene: Scene,
    private readonly shadowSize: number,
  ) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: this.uniforms,
      side: BackSide,
      depthWrite: false,
      toneMapped: false,
      dithering: true,
    });
    this.dome = new Mesh(new SphereGeometry(1, 24, 48), material);
    this.dome.frustumCulled = false;
    // Last of what is opaque: only where nothing else is.
    this.dome.renderOrder = 2;
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(this.shadowSize, this.shadowSize);
    this.key.shadow.bias = -0.0002;
    this.key.shadow.radius = 1.6;
    this.fill.position.copy(TO_FILL);
    scene.add(this.dome, this.key, this.key.target, this.fill, this.hemisphere);
    this.fit(new Box3(new Vector3(-2, 0, -2), new Vector3(2, 2, 2)));
  }

  set visible(on: boolean) {
    this.dome.visible = on;
  }

  set shadows(on: boolean) {
    this.key.castShadow = on;
  }

  paint(theme: SceneTheme): void {
    // As the screen shows them, so that the ground can go over into them.
    this.uniforms.uTop.value.copy(theme.skyTop).convertLinearToSRGB();
    this.uniforms.uHorizon.value.copy(theme.skyHorizon).convertLinearToSRGB();
    this.uniforms.uBottom.value.copy(theme.skyBottom).convertLinearToSRGB();
    this.key.color.copy(theme.key);
    this.key.intensity = theme.keyStrength;
    this.key.shadow.intensity = theme.shadowStrength;
    this.fill.color.copy(theme.fill);
    this.fill.intensity = theme.fillStrength;
    this.hemisphere.color.copy(theme.hemiSky);
    this.hemisphere.groundColor.copy(theme.hemiGround);
    this.hemisphere.intensity = theme.hemiStrength;
    keyLight.color.value.copy(theme.key).multiplyScalar(theme.keyStrength / Math.PI);
  }

  // Makes the shadow reach over what there is. The reach changes in steps and the light moves by whole texels, so
  // that the edges of shadows do not crawl.
  fit(box: Box3): void {
    box.getCenter(this.middle);
    box.getSize(this.size);
    const wanted = Math.min(60, Math.max(0.5, 0.55 * this.size.length()));
    if (wanted > this.reach || wanted < 0.6 * this.reach) {
      this.reach = 1.2 * wanted;
      const {camera} = this.key.shadow;
      camera.left = camera.bottom = -this.reach;
      camera.right = camera.top = this.reach;
      camera.near = 0.1;
      camera.far = 6 * this.reach + 10;
      camera.updateProjectionMatrix();
      this.map.span.value.set(camera.far - camera.near, 2 * this.reach);
      // Some texels, or cloth would shade itself in stripes.
      this.key.shadow.normalBias = (1.6 * (2 * this.reach)) / this.shadowSize;
    }
    const step = (16 * this.reach) / this.shadowSize;
    this.middle.divideScalar(step).round().multiplyScalar(step);
    this.key.target.position.copy(this.middle);
    this.key.position
      .copy(TO_KEY)
      .multiplyScalar(3 * this.reach + 5)
      .add(this.middle);
    this.key.updateMatrixWorld();
    this.key.target.updateMatrixWorld();
  }

  // Before each drawing: some materials want the key light's direction as the camera sees it.
  prepare(camera: Camera): void {
    this.view.copy(camera.matrixWorldInverse);
    keyLight.direction.value.copy(TO_KEY).transformDirection(this.view);
    const {right, up} = this.map;
    right.value.setFromMatrixColumn(this.key.shadow.camera.matrixWorld, 0).transformDirection(this.view);
    up.value.setFromMatrixColumn(this.key.shadow.camera.matrixWorld, 1).transformDirection(this.view);
  }
}
