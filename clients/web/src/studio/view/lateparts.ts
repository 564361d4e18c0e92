// The interface between later.ts and the part of the picture that it fetches.
import type {Group} from 'three';
import type {Frame} from '../../lib/index.js';
import type {App} from '../model/app.js';
import type {Thing} from '../model/selection.js';
import type {CameraRig} from './camera.js';
import type {Content} from './content.js';
import type {SceneTheme} from './theme.js';

export interface LateParts {
  readonly app: App;
  readonly content: Content;
  readonly rig: CameraRig;
  readonly theme: SceneTheme;
  // Asks for another drawing.
  readonly changed: () => void;
  // Has bodies choose their colours again, and asks for another drawing.
  readonly repaint: () => void;
}

// As late/index.ts has it.
export interface Late {
  readonly object: Group;
  paint(theme: SceneTheme): void;
  resize(width: number, height: number, ratio: number): void;
  update(moved: boolean, frame: Frame | null, now: number): void;
  // The thing under a point of the view, in CSS pixels.
  thingAt(x: number, y: number, reach: number): Thing | null;
  dispose(): void;
}
