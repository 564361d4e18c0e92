// Handles on what is selected: arrows to move it, rings to turn it, cubes to resize it. What they do to it is told by
// who stands for it: one collider (handlecollider.ts), or bodies together (handlebodies.ts).
import {effect} from '@preact/signals';
import {Object3D, type PerspectiveCamera, type Scene} from 'three';
import {TransformControls} from 'three/examples/jsm/controls/TransformControls.js';
import type {App} from '../model/app.js';
import type {Assist} from './assist.js';
import type {Content} from './content.js';
import {AnchorHeld} from './handleanchor.js';
import {BodiesHeld} from './handlebodies.js';
import {ColliderHeld} from './handlecollider.js';
import {ForceHeld} from './handleforce.js';
import type {Held} from './held.js';

const CONTROLS = {move: 'translate', turn: 'rotate', size: 'scale'} as const;

export class Handles {
  private readonly controls: TransformControls;
  private readonly proxy = new Object3D();
  private readonly helper: Object3D;
  private readonly offs: (() => void)[] = [];
  private held: Held | null = null;
  private holding = false;
  // Comes with the first handles.
  private assist: Assist | null = null;
  private assists = false;

  constructor(
    private readonly app: App,
    private readonly content: Content,
    scene: Scene,
    private readonly camera: PerspectiveCamera,
    private readonly element: HTMLElement,
    private readonly changed: () => void,
  ) {
    this.controls = new TransformControls(camera, element);
    this.controls.setSize(0.8);
    this.controls.setColors('#e5484d', '#46a758', '#3e7bfa', '#f5a524');
    this.helper = this.controls.getHelper();
    scene.add(this.proxy, this.helper);
    this.controls.addEventListener('objectChange', () => {
      if (this.holding) {
        this.assist?.adjust();
        this.held?.moved(this.proxy);
        changed();
      }
    });
    this.controls.addEventListener('change', () => changed());
    this.controls.addEventListener('dragging-changed', (event) => {
      this.holding = event.value as boolean;
      app.viewState.dragging.value = this.holding;
      if (this.holding) {
        this.held?.begin(this.proxy);
        if (this.held) {
          this.assist?.begin(this.held, this.controls.axis ?? 'X');
        }
      } else {
        this.assist?.release();
        this.held?.end(this.proxy);
        this.follow();
      }
    });
    this.offs.push(effect(() => this.follow()));
  }

  // Whether the pointer is on a handle, or holds one.
  get busy(): boolean {
    return this.holding || (this.held !== null && this.controls.axis !== null);
  }

  // Bodies have moved: their handles go along.
  update(): void {
    if (!this.holding && this.held instanceof BodiesHeld) {
      this.held.place(this.proxy);
    }
    this.assist?.place();
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    this.assist?.dispose();
    this.controls.detach();
    this.controls.dispose();
    this.helper.removeFromParent();
    this.proxy.removeFromParent();
  }

  private follow(): void {
    const {bodies, colliders, particles, forces} = this.app.selection.selected.value;
    const fields = this.app.document.forces.value;
    const draft = this.app.viewState.draftJoint.value;
    const known = this.app.document.colliders.value;
    const there = this.app.document.bodies.value;
    const mode = this.app.viewState.handle.value;
    const tool = this.app.viewState.tool.value;
    const fixed = this.app.document.readOnly.value !== '';
    if (this.holding) {
      return;
    }
    const measures = tool === 'measure';
    const [id] = colliders;
    const locked = (key: string) => this.app.viewState.own.value.get(key)?.locked === true;
    const free = ![...bodies].some((body) => locked(`body:${body}`)) && ![...colliders].some((one) => locked(`collider:${one}`));
    const collider = !fixed && free && !measures && colliders.size === 1 && bodies.size === 0 ? known.get(id) : undefined;
    const some = [...bodies].filter((body) => there.has(body));
    // Who drags a body pulls it; handles in the middle of it would be in the way.
    const whole = !fixed && free && !measures && tool !== 'grab' && some.length + colliders.size > 0 && particles.size === 0;
    const solids = [...colliders].flatMap((one) => known.get(one) ?? []);
    const alone = forces.size === 1 && bodies.size + colliders.size === 0;
    const field = !fixed && !measures && alone ? fields.get([...forces][0]) : undefined;
    const refresh = () => this.follow();
    if (draft && !fixed) {
      this.held = new AnchorHeld(this.app, mode);
    } else if (collider) {
      this.held = new ColliderHeld(this.app, this.content, collider, mode, refresh);
    } else if (field) {
      this.held = new ForceHeld(this.app, field, mode, refresh);
    } else if (whole) {
      this.held = new BodiesHeld(this.app, this.content, some, solids, mode, refresh);
    } else {
      this.held = null;
    }
    if (this.assist && !this.assist.stays(this.held)) {
      this.assist.leave();
    }
    if (!this.held) {
      this.controls.detach();
      this.changed();
      return;
    }
    this.controls.setMode(CONTROLS[this.held.mode]);
    this.controls.setSpace(this.held.space);
    this.held.place(this.proxy);
    this.controls.attach(this.proxy);
    this.changed();
    if (!this.assists) {
      this.assists = true;
      void import('./assist.js').then(({Assist}) => {
        this.assist = new Assist(this.app, this.content, this.proxy, this.camera, this.element, this);
      });
    }
  }

  // -- by numbers

  change(change: () => void): void {
    if (!this.held) {
      return;
    }
    if (!this.holding) {
      this.held.begin(this.proxy);
    }
    change();
    this.held.moved(this.proxy);
    if (!this.holding) {
      this.held.end(this.proxy);
    }
    this.changed();
  }

  release(): void {
    this.controls.pointerUp(null);
  }
}
