// Mouse, pen and touch on the picture.
//
//     on a body, tool grab     drag: pull it           click: select
//     elsewhere                drag: turn the camera   click: select, or nothing
//     tool measure             drag: turn the camera   click: pick a point
//     tools box, lasso         drag: draw round what is to be selected
//     right or middle button   pan                     wheel: nearer and farther, while pulling: push and fetch
//     Alt                      turns the camera, whatever is under the pointer; so does a world that takes no edits
//     Shift, Ctrl              selects as well
//     two fingers              pan, nearer and farther, turn about
//     double click             looks there
//
// A press is a click until it has gone a few pixels or, on a body, was held for a moment. There is one gesture at a
// time; a second finger ends what the first one did.
import {Vector3} from 'three';
import type {App} from '../model/app.js';
import type {SelectMode} from '../model/selection.js';
import {anchorOf} from './anchors.js';
import type {CameraRig} from './camera.js';
import type {Content, Hit} from './content.js';
import type {Handles} from './handles.js';
import {Marquee} from './marquee.js';
import type {Overlays} from './overlays.js';
import type {Picker} from './picker.js';
import {Pull} from './pull.js';
import type {WindHandle} from './wind.js';

const SLOP_PX = 4;
const HOLD_MS = 160;
const REACH_MOUSE = 10;
const REACH_TOUCH = 26;
const ORBIT_PER_PX = 0.006;
const DOUBLE_MS = 350;
const DOUBLE_PX = 12;
// Looking for what is under the pointer may take this share of the time.
const HOVER_SHARE = 0.12;
const AIM_MS = 100;

type Gesture = 'none' | 'pressed' | 'pull' | 'orbit' | 'pan' | 'draw' | 'wind' | 'handle' | 'two';

interface Parts {
  readonly app: App;
  readonly content: Content;
  readonly rig: CameraRig;
  readonly overlays: Overlays;
  readonly handles: Handles;
  readonly wind: WindHandle;
  readonly picker: Picker;
  readonly changed: () => void;
}

interface Press {
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly touch: boolean;
  readonly mode: SelectMode;
  readonly hit: Hit | null;
}

export class Pointer {
  private readonly marquee: Marquee;
  private readonly offs: (() => void)[] = [];
  private readonly pointers = new Map<number, {x: number; y: number}>();
  private gesture: Gesture = 'none';
  private press: Press | null = null;
  private pull: Pull | null = null;
  private last = {x: 0, y: 0};
  private lastClick = {x: 0, y: 0, at: -Infinity};
  private hover: {x: number; y: number; touch: boolean} | null = null;
  private hoverFrom = 0;
  private aim: {x: number; y: number; until: number; point: Vector3 | null} = {
    x: 0,
    y: 0,
    until: 0,
    point: null,
  };
  private holdTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly parts: Parts,
    private readonly element: HTMLElement,
    stage: HTMLElement,
  ) {
    this.marquee = new Marquee(stage);
    const on = <K extends keyof HTMLElementEventMap>(
      name: K,
      act: (event: HTMLElementEventMap[K]) => void,
      options?: AddEventListenerOptions,
    ) => {
      element.addEventListener(name, act, options);
      this.offs.push(() => element.removeEventListener(name, act, options));
    };
    on('pointerdown', (event) => this.onDown(event));
    on('pointermove', (event) => this.onMove(event));
    on('pointerup', (event) => this.onUp(event));
    on('pointercancel', (event) => this.onCancel(event));
    on('lostpointercapture', (event) => this.onCancel(event));
    on('pointerleave', () => {
      this.hover = null;
      this.parts.app.selection.hovered.value = null;
    });
    on('wheel', (event) => this.onWheel(event), {passive: false});
    on('contextmenu', (event) => event.preventDefault());
  }

  dispose(): void {
    this.cancel();
    this.offs.forEach((off) => off());
    this.marquee.dispose();
  }

  // Once a frame: tells the server where the hand is, and looks what is under it.
  update(now: number): void {
    this.pull?.send();
    if (this.hover && now >= this.hoverFrom) {
      const from = performance.now();
      this.lookUnder(this.hover);
      this.hover = null;
      this.hoverFrom = now + (performance.now() - from) / HOVER_SHARE;
    }
  }

  // Ends what is under way, as if nothing had been pressed.
  cancel(): boolean {
    const busy = this.gesture !== 'none';
    this.finish();
    return busy;
  }

  // -- events

  private onDown(event: PointerEvent): void {
    this.element.focus({preventScroll: true});
    this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    this.capture(event.pointerId);
    if (this.pointers.size > 1) {
      this.finish();
      this.gesture = 'two';
      this.last = this.middle();
      return;
    }
    const {handles, wind, content, app} = this.parts;
    this.last = {x: event.clientX, y: event.clientY};
    if (handles.busy) {
      this.gesture = 'handle';
      return;
    }
    const touch = event.pointerType === 'touch';
    const at = content.local(event.clientX, event.clientY);
    if (event.button === 0 && wind.meets(at.x, at.y)) {
      this.gesture = 'wind';
      wind.begin();
      app.selection.select([{kind: 'wind'}]);
      return;
    }
    if (event.button !== 0) {
      this.gesture = 'pan';
      return;
    }
    const {tool} = app.viewState;
    const drawing = (tool.peek() === 'box' || tool.peek() === 'lasso') && !event.altKey;
    const hit =
      event.altKey || drawing
        ? null
        : content.hitNear(event.clientX, event.clientY, touch ? REACH_TOUCH : REACH_MOUSE);
    this.press = {
      x: event.clientX,
      y: event.clientY,
      at: performance.now(),
      touch,
      mode: event.shiftKey ? 'add' : event.ctrlKey || event.metaKey ? 'toggle' : 'replace',
      hit: event.altKey ? null : hit,
    };
    this.gesture = event.altKey ? 'orbit' : 'pressed';
    if (hit && hit.body !== null && tool.peek() === 'grab' && this.canPull) {
      this.holdTimer = setTimeout(() => this.drag(), HOLD_MS);
    }
  }

  private onMove(event: PointerEvent): void {
    const known = this.pointers.get(event.pointerId);
    if (known) {
      known.x = event.clientX;
      known.y = event.clientY;
    }
    if (this.gesture === 'none') {
      this.hover = {x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch'};
      return;
    }
    if (this.gesture === 'two') {
      this.moveTwo(event);
      return;
    }
    const dx = event.clientX - this.last.x;
    const dy = event.clientY - this.last.y;
    if (
      this.gesture === 'pressed' &&
      this.press &&
      Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > SLOP_PX
    ) {
      this.drag();
    }
    this.last = {x: event.clientX, y: event.clientY};
    this.moveOne(event, dx, dy);
    this.parts.changed();
  }

  private moveOne(event: PointerEvent, dx: number, dy: number): void {
    const {rig, content, wind} = this.parts;
    switch (this.gesture) {
      case 'pull':
        this.pull?.move(event.clientX, event.clientY);
        break;
      case 'orbit':
        rig.orbit(dx * ORBIT_PER_PX, dy * ORBIT_PER_PX);
        break;
      case 'pan':
        rig.pan(dx, dy, this.element.clientHeight);
        break;
      case 'draw':
        this.draw(false);
        break;
      case 'wind':
        wind.move(content.rayAt(event.clientX, event.clientY));
        break;
      default:
        break;
    }
  }

  private onUp(event: PointerEvent): void {
    const {gesture, press} = this;
    this.pointers.delete(event.pointerId);
    if (gesture === 'pressed' && press) {
      this.click(press);
    } else if (gesture === 'draw' && press) {
      this.choose(press);
    }
    this.finish();
    // Of two fingers one is left: it goes on only when it is lifted and put down again.
    if (this.pointers.size > 0) {
      this.gesture = 'two';
      this.last = this.middle();
    }
  }

  private onCancel(event: PointerEvent): void {
    if (this.pointers.delete(event.pointerId)) {
      this.finish();
    }
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const {rig, changed} = this.parts;
    // Lines and pages of some mice, in pixels.
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const by = Math.max(-240, Math.min(240, event.deltaY * lines));
    if (this.gesture === 'pull') {
      this.pull?.push(-by * 0.0008, event.clientX, event.clientY);
      return;
    }
    // A pinch on a touchpad comes as a wheel with Ctrl.
    const factor = Math.exp(by * (event.ctrlKey ? 0.008 : 0.0012));
    rig.zoom(factor, this.aimAt(event.clientX, event.clientY));
    changed();
  }

  // What is gone towards. A wheel turns faster than a large mesh is searched, and means the same place meanwhile.
  private aimAt(x: number, y: number): Vector3 | null {
    const now = performance.now();
    const {aim} = this;
    if (now > aim.until || Math.hypot(x - aim.x, y - aim.y) > SLOP_PX) {
      const hit = this.parts.content.hit(x, y);
      const took = performance.now() - now;
      const until = now + took + Math.max(AIM_MS, took / HOVER_SHARE);
      this.aim = {x, y, until, point: hit ? new Vector3(...hit.point) : null};
    }
    return this.aim.point;
  }

  // -- gestures

  // A press became a drag.
  private drag(): void {
    const {press} = this;
    if (this.gesture !== 'pressed' || !press) {
      return;
    }
    this.clearHold();
    const {app, content, rig, overlays} = this.parts;
    const tool = app.viewState.tool.peek();
    if (tool === 'box' || tool === 'lasso') {
      this.gesture = 'draw';
      this.draw(true);
      return;
    }
    const {hit} = press;
    if (tool === 'grab' && this.canPull && hit && hit.body !== null && content.bodies.has(hit.body)) {
      this.gesture = 'pull';
      this.element.style.cursor = 'grabbing';
      app.selection.hovered.value = null;
      this.pull = new Pull(app, content, rig, overlays, hit, press.x, press.y, () => {
        if (this.gesture === 'pull') {
          this.finish();
        }
      });
      this.pull.move(this.last.x, this.last.y);
      return;
    }
    this.gesture = 'orbit';
  }

  // Nothing is pulled in the past, nor in a world that takes no edits: there a drag turns the view.
  private get canPull(): boolean {
    return this.parts.app.document.readOnly.peek() === '';
  }

  private draw(first: boolean): void {
    const {content, app} = this.parts;
    const now = content.local(this.last.x, this.last.y);
    const start = content.local(this.press!.x, this.press!.y);
    if (app.viewState.tool.peek() === 'box') {
      this.marquee.box(start.x, start.y, now.x, now.y);
      return;
    }
    if (first) {
      this.marquee.lasso(start.x, start.y, true);
    }
    this.marquee.lasso(now.x, now.y, false);
  }

  private choose(press: Press): void {
    if (this.marquee.wide) {
      this.parts.picker.selectWithin(this.marquee.outline, press.mode);
    } else {
      this.click(press);
    }
  }

  private click(press: Press): void {
    const {app, picker, rig, content, changed} = this.parts;
    if (app.viewState.tool.peek() === 'measure') {
      const hit = content.hitNear(press.x, press.y, press.touch ? REACH_TOUCH : REACH_MOUSE);
      const anchor = hit && anchorOf(content, hit);
      if (anchor) {
        app.viewState.picked.value = [...app.viewState.picked.peek(), anchor];
      }
      return;
    }
    const thing = picker.thingAt(press.x, press.y, press.touch ? REACH_TOUCH : REACH_MOUSE);
    const again =
      press.at - this.lastClick.at < DOUBLE_MS &&
      Math.hypot(press.x - this.lastClick.x, press.y - this.lastClick.y) < DOUBLE_PX;
    this.lastClick = {x: press.x, y: press.y, at: again ? -Infinity : press.at};
    if (again) {
      const hit = content.hitNear(press.x, press.y, REACH_MOUSE);
      if (hit) {
        const [x, y, z] = hit.point;
        const {position, target} = rig.pose;
        const near = 0.6;
        const off = position.map((p, axis) => near * (p - target[axis]));
        rig.goTo({target: hit.point, position: [x + off[0], y + off[1], z + off[2]]});
        changed();
      }
      return;
    }
    // The ground is large: a click on it means nothing else.
    const ground =
      thing?.kind === 'collider' && content.colliders.get(thing.collider)?.collider.kind === 'plane';
    const tool = app.viewState.tool.peek();
    if (thing && !(ground && tool !== 'click')) {
      app.selection.select([thing], press.mode);
    } else if (press.mode === 'replace') {
      app.selection.clear();
    }
  }

  private middle(): {x: number; y: number} {
    let [x, y] = [0, 0];
    for (const at of this.pointers.values()) {
      x += at.x / this.pointers.size;
      y += at.y / this.pointers.size;
    }
    return {x, y};
  }

  private readonly spread = {length: 0, angle: 0};

  private moveTwo(event: PointerEvent): void {
    const {rig, changed} = this.parts;
    const [a, b] = [...this.pointers.values()];
    const middle = this.middle();
    if (!a || !b) {
      this.spread.length = 0;
      return;
    }
    const length = Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    if (this.spread.length > 0) {
      rig.zoom(this.spread.length / length, this.aimAt(middle.x, middle.y));
      const turned = angle - this.spread.angle;
      rig.orbit(-(turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI))), 0);
      rig.pan(middle.x - this.last.x, middle.y - this.last.y, this.element.clientHeight);
    }
    this.spread.length = length;
    this.spread.angle = angle;
    this.last = middle;
    event.preventDefault();
    changed();
  }

  private finish(): void {
    this.clearHold();
    this.pull?.end();
    this.pull = null;
    if (this.gesture === 'wind') {
      this.parts.wind.release();
    }
    this.marquee.hide();
    this.press = null;
    this.spread.length = 0;
    this.gesture = 'none';
    this.element.style.cursor = '';
    this.parts.changed();
  }

  private clearHold(): void {
    if (this.holdTimer !== null) {
      clearTimeout(this.holdTimer);
      this.holdTimer = null;
    }
  }

  private capture(pointer: number): void {
    try {
      this.element.setPointerCapture(pointer);
    } catch {
      // A pointer that is gone already, or one made by a script, cannot be captured.
    }
  }

  // -- hovering

  private lookUnder(at: {x: number; y: number; touch: boolean}): void {
    const {app, picker, handles, wind, content} = this.parts;
    const local = content.local(at.x, at.y);
    const tool = app.viewState.tool.peek();
    if (at.touch || handles.busy || wind.meets(local.x, local.y)) {
      app.selection.hovered.value = null;
      this.element.style.cursor = at.touch ? '' : 'pointer';
      return;
    }
    if (tool === 'box' || tool === 'lasso') {
      app.selection.hovered.value = null;
      this.element.style.cursor = 'crosshair';
      return;
    }
    if (tool === 'grab' || tool === 'measure') {
      const measures = tool === 'measure';
      const hit = this.canPull || measures ? content.hitNear(at.x, at.y, REACH_MOUSE) : null;
      const body = hit?.body ?? null;
      app.selection.hovered.value =
        hit && body !== null ? {kind: 'particle', body, particle: hit.particle} : null;
      this.element.style.cursor = measures ? 'crosshair' : body !== null ? 'grab' : '';
      return;
    }
    const thing = picker.thingAt(at.x, at.y, REACH_MOUSE);
    const before = app.selection.hovered.peek();
    if (JSON.stringify(thing) !== JSON.stringify(before)) {
      app.selection.hovered.value = thing;
    }
    this.element.style.cursor = thing ? 'pointer' : '';
  }
}
