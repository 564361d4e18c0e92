// How much of the picture's light is drawn: plain materials, or fine ones, which are loaded after the first picture.
//
//     0  plain      the key light with its shadow, alike for all materials
//     1  fine       fabric and gloss, shadows that are softer farther away, light from around
//     2  occluded   and less of it in folds
import type {Object3D, PerspectiveCamera, WebGLRenderer} from 'three';
import type {Fine} from './fine/index.js';
import type {Sky} from './sky.js';
import type {SceneTheme} from './theme.js';

export type LightLevel = 0 | 1 | 2;
export const LIGHT_MOST: LightLevel = 2;

export class Lighting {
  private loaded: Fine | null = null;
  private loading = false;
  private closed = false;
  private now: LightLevel = 0;

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly sky: Sky,
    // Materials that are lit otherwise than before.
    private readonly changed: () => void,
  ) {}

  // Fine materials are there some time after they are first wanted.
  set level(level: LightLevel) {
    if (level === this.now) {
      return;
    }
    this.now = level;
    if (level > 0 && !this.loading) {
      this.loading = true;
      void this.load();
    } else {
      this.changed();
    }
  }

  get level(): LightLevel {
    return this.loaded ? this.now : 0;
  }

  get fine(): Fine | null {
    return this.now > 0 ? this.loaded : null;
  }

  paint(theme: SceneTheme): void {
    this.fine?.paint(theme);
  }

  // Before each drawing. `plain`: colours mean something now.
  prepare(root: Object3D, camera: PerspectiveCamera, farther: number, plain: boolean): void {
    const {fine} = this;
    if (fine && this.now > 1 && !plain) {
      fine.occlusion.draw(root, camera, this.sky.reach, farther);
    } else {
      fine?.occlusion.off();
    }
  }

  // The graphics card lost what was drawn for later use.
  renew(): void {
    this.loaded?.renew();
    this.changed();
  }

  dispose(): void {
    this.closed = true;
    this.loaded?.dispose();
  }

  private async load(): Promise<void> {
    try {
      const {Fine} = await import('./fine/index.js');
      if (!this.closed) {
        this.loaded = new Fine(this.renderer, this.sky.map);
        this.changed();
      }
    } catch (error) {
      // The picture stays plain, and the page does not ask again.
      console.warn('fine materials could not be loaded:', error instanceof Error ? error.message : error);
    }
  }
}
