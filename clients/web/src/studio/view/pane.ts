// A second picture beside the first, of another world or of another moment, by the same camera. It is drawn by the
// first one's loop and has no hands: a drag on it turns the camera of both.
import {effect, signal} from '@preact/signals';
import {Box3, Scene, type WebGLRenderer} from 'three';
import type {Frame} from '../../lib/index.js';
import type {App} from '../model/app.js';
import {Aside} from './aside.js';
import type {Paint, ShownLines} from './body.js';
import type {CameraRig} from './camera.js';
import {CanvasSize, makeCanvas} from './canvas.js';
import {Content} from './content.js';
import {Player} from './player.js';
import type {Detail} from './sheet.js';
import {Sky} from './sky.js';
import {watchTurning} from './turning.js';

const SHADOW_FIT_MS = 120;

// What both pictures have alike.
export interface Alike {
  paint(): Paint;
  lines(): ShownLines;
  changed(): void;
}

export class Pane {
  private readonly place = document.createElement('section');
  private readonly renderer: WebGLRenderer;
  private readonly size = new CanvasSize();
  private readonly scene = new Scene();
  private readonly aside: Aside;
  private readonly content: Content;
  private readonly player: Player;
  private readonly sky: Sky;
  private readonly box = new Box3();
  private readonly offs: (() => void)[] = [];
  private shadowsAt = -Infinity;

  // Throws where the page may hold no further picture.
  constructor(
    app: App,
    private readonly rig: CameraRig,
    stage: HTMLElement,
    private readonly alike: Alike,
  ) {
    const {canvas, renderer, soft} = makeCanvas();
    this.renderer = renderer;
    canvas.tabIndex = -1;
    canvas.setAttribute('role', 'img');
    this.place.className = 'stage pane';
    this.place.append(canvas);
    stage.after(this.place);
    this.aside = new Aside(alike.changed);
    this.content = new Content(rig, canvas, this.aside);
    const {document: world, frames} = app.beside;
    this.player = new Player({document: world, scrubber: {shown: signal<Frame | null>(null)}}, this.content);
    this.sky = new Sky(this.scene, soft ? 1024 : 2048);
    this.scene.add(this.content.object);
    this.offs.push(
      watchTurning(canvas, rig, alike.changed),
      frames.onFrame((frame) => this.player.take(frame)),
      world.onEdit((edit) => edit.cut && this.player.cut(edit.revision)),
      effect(() => {
        void world.epoch.value;
        this.player.restart();
      }),
      effect(() => {
        void [world.bodies.value, world.colliders.value];
        this.player.invalidate();
        alike.changed();
      }),
      effect(() => {
        const {state, rate} = world.run.value;
        this.player.run(state === 'playing', rate);
      }),
      effect(() => {
        this.sky.shadows = app.viewState.overlays.shadows.value;
      }),
      effect(() => {
        const name = world.name.value;
        this.place.setAttribute('aria-label', 'Beside it');
        canvas.setAttribute('aria-label', `Picture of ${name} beside it, with the same camera`);
      }),
    );
    this.paint();
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    this.content.clear();
    this.aside.close();
    this.renderer.dispose();
    // A page may hold but a few.
    this.renderer.forceContextLoss();
    this.place.remove();
  }

  // Fine materials belong to the renderer that they are made for, and two pictures have twice as much to draw.
  private paints(): Paint {
    return {...this.alike.paint(), fine: null};
  }

  paint(): void {
    const paint = this.paints();
    this.sky.paint(paint.theme);
    this.content.paint(paint);
  }

  showLines(): void {
    const [lines, paint] = [this.alike.lines(), this.paints()];
    this.content.bodies.forEach((body) => body.showLines(lines) && body.paint(paint));
  }

  set detail(detail: Detail) {
    this.content.detail = detail;
  }

  resize(ratio: number): void {
    const {clientWidth: width, clientHeight: height} = this.place;
    this.size.want(width, height, ratio);
    this.content.resize(width, height);
  }

  // Brings bodies to where they are now. Whether anything moved.
  advance(now: number): boolean {
    const {moved, changed} = this.player.advance(now, this.paints(), this.alike.lines());
    if (changed) {
      this.shadowsAt = -Infinity;
    }
    return moved;
  }

  draw(now: number): void {
    if (now - this.shadowsAt > SHADOW_FIT_MS) {
      this.shadowsAt = now;
      this.sky.fit(this.content.bounds(this.box));
    }
    this.content.colliders.forEach((collider) => collider.follow(this.rig.target, this.rig.camera.position));
    this.sky.prepare(this.rig.camera);
    this.size.apply(this.renderer);
    this.renderer.render(this.scene, this.rig.camera);
  }
}
