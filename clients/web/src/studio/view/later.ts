// Parts of the picture that few pages need: fields of force, connections, images of meshes, colours and arrows of physical fields, and
// the wind’s streaks. They are fetched when a page first has any of them, so that the first motion does not wait for them.
import {effect} from '@preact/signals';
import type {Scene} from 'three';
import type {App} from '../model/app.js';
import type {Thing} from '../model/selection.js';
import {CONSTRAINT_KINDS} from '../model/values.js';
import type {Late, LateParts} from './lateparts.js';
import type {SceneTheme} from './theme.js';
import type {Frame} from '../../lib/index.js';

export class Later {
  private late: Late | null = null;
  private asked = false;
  private closed = false;
  private size: readonly [number, number, number] = [1, 1, 1];
  private theme: SceneTheme;
  private readonly off: () => void;

  constructor(
    private readonly parts: LateParts,
    private readonly scene: Scene,
  ) {
    this.theme = parts.theme;
    this.off = effect(() => {
      if (isNeeded(parts.app)) void this.fetch();
    });
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.late?.paint(theme);
  }

  resize(...size: [width: number, height: number, ratio: number]): void {
    this.size = size;
    this.late?.resize(...size);
  }

  update(moved: boolean, frame: Frame | null, now: number): void {
    this.late?.update(moved, frame, now);
  }

  thingAt(x: number, y: number, reach: number): Thing | null {
    return this.late?.thingAt(x, y, reach) ?? null;
  }

  dispose(): void {
    this.closed = true;
    this.off();
    this.late?.dispose();
  }

  private async fetch(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      const {makeLate} = await import('./late/index.js');
      if (this.closed) return;
      this.late = makeLate({...this.parts, theme: this.theme});
      this.late.resize(...this.size);
      this.scene.add(this.late.object);
      this.parts.changed();
    } catch {
      this.asked = false; // the server is gone: asked again with the next change
    }
  }
}

function isNeeded({document, viewState}: App): boolean {
  const {overlays} = viewState;
  const linked = CONSTRAINT_KINDS.some((kind) => (document.constraints.loose(kind).value?.ids.length ?? 0) > 0);
  const pictured = [...document.bodies.value.values()].some(({topology}) => (topology?.look?.images.length ?? 0) > 0);
  return (
    pictured ||
    document.forces.value.size > 0 ||
    linked ||
    viewState.draftJoint.value !== null ||
    overlays.field.value !== 'off' ||
    overlays.arrows.value ||
    overlays.streaks.value
  );
}
