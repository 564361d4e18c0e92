// What is in hand: what the handles (handles.ts) ask of those who stand for it.
import type {Object3D} from 'three';
import type {HandleMode} from '../model/viewstate.js';

export interface Held {
  readonly mode: HandleMode;
  readonly space: 'world' | 'local';
  readonly things: {
    readonly bodies: ReadonlySet<number>;
    readonly colliders: ReadonlySet<number>;
    readonly forces: ReadonlySet<number>;
  };
  // Puts the handles to where it is.
  place(proxy: Object3D): void;
  begin(proxy: Object3D): void;
  moved(proxy: Object3D): void;
  end(proxy: Object3D): void;
}
