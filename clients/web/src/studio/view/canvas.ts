// The canvas, and the renderer that draws on it.
import {NeutralToneMapping, PCFShadowMap, SRGBColorSpace, WebGLRenderer} from 'three';
import {graphics} from './graphics.js';

export interface Canvas {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  // Whether the processor draws. Smooth edges cost too much there: what rests is drawn finer instead.
  readonly soft: boolean;
}

// Throws where there is no WebGL.
export function makeCanvas(): Canvas {
  const means = graphics();
  const soft = means === 'software';
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute(
    'aria-label',
    'Picture of the world: drag to pull, arrows turn, W A S D fly, F centers the selection',
  );
  // Opaque, unlike the renderer's own, so that the page under it need not be drawn.
  const context =
    means === 'none'
      ? null
      : canvas.getContext('webgl2', {
          alpha: false,
          stencil: false,
          antialias: !soft,
          powerPreference: 'high-performance',
        });
  if (!context) {
    throw new Error('no WebGL 2');
  }
  const renderer = new WebGLRenderer({canvas, context});
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  return {canvas, renderer, soft};
}

// The size that a canvas should have. A canvas loses its picture when it gets a size, so it gets one only just before it
// is drawn. If it got one at any other time it would be black until it is drawn next, and a busy page may take seconds.
export class CanvasSize {
  private wanted = {width: 1, height: 1, ratio: 1};
  private applied = {width: 0, height: 0, ratio: 0};

  // In CSS pixels, and pixels of the picture for each along a side.
  want(width: number, height: number, ratio: number): void {
    this.wanted = {width: Math.max(1, width), height: Math.max(1, height), ratio};
  }

  apply(renderer: Pick<WebGLRenderer, 'setPixelRatio' | 'setSize'>): void {
    const {width, height, ratio} = this.wanted;
    const {applied} = this;
    if (width === applied.width && height === applied.height && ratio === applied.ratio) {
      return;
    }
    this.applied = this.wanted;
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
  }
}
