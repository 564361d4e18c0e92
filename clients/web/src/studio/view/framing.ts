// Automatic moves of the camera.
//
// A world that is opened is shown as a whole, unless a link says otherwise. Until a person moves the camera, it keeps
// everything in view. Afterwards it belongs to the person, and it moves only to show something that was added from this
// page and would be out of view.
import {effect} from '@preact/signals';
import type {App} from '../model/app.js';
import type {CameraRig} from './camera.js';
import type {Looks} from './looks.js';

export class Framing {
  // Nobody has taken the camera.
  private own = false;
  private begun = false;
  // Whether there was nothing to look at yet.
  private waited = false;
  private all = false;
  // The world that was looked at last.
  private seen = '';
  private readonly bodies = new Set<number>();
  private readonly colliders = new Set<number>();
  private readonly offs: (() => void)[];

  constructor(
    app: App,
    private readonly rig: CameraRig,
    private readonly looks: Looks,
    // By a link.
    private linked: boolean,
  ) {
    const {document: world} = app;
    this.offs = [
      effect(() => {
        // One that came back is not another.
        if (world.world.value !== 0) {
          const name = world.name.peek();
          if (this.seen !== name) {
            // Its things have ids of their own.
            app.viewState.own.value = new Map();
            app.viewState.apart.value = null;
          }
          this.own = !this.linked && this.seen !== name;
          this.begun = !this.own;
          this.linked = this.waited = this.all = false;
          this.rig.handled = false;
          this.seen = name;
          this.bodies.clear();
          this.colliders.clear();
        }
      }),
      world.onEdit(({mine, method, things}) => {
        if (!mine || (method !== 'body.add' && method !== 'collider.add')) {
          return;
        }
        for (const key of things) {
          const [kind, id] = key.split(':');
          (kind === 'body' ? this.bodies : this.colliders).add(Number(id));
        }
      }),
    ];
  }

  dispose(): void {
    this.offs.forEach((off) => off());
  }

  // Somebody said where the camera goes.
  leave(): void {
    this.own = false;
    this.begun = true;
  }

  // What is not there yet is waited for.
  focus(what: 'selection' | 'all', complete: boolean): void {
    if (what === 'all' && !complete) {
      this.all = true;
    } else {
      this.looks.focus(what);
    }
  }

  // Every body of the world is drawn. `changed`: things came or went.
  complete(changed: boolean): void {
    this.own &&= !this.rig.handled;
    if (!this.begun) {
      this.begun = this.looks.first(!this.waited);
      this.waited = true;
    } else if (this.all) {
      this.looks.focus('all');
    } else if (this.own && changed && this.looks.misses) {
      this.looks.focus('all');
    } else if (!this.own && this.bodies.size + this.colliders.size > 0) {
      this.looks.bring(this.bodies, this.colliders);
    }
    this.all = false;
    this.bodies.clear();
    this.colliders.clear();
  }
}
