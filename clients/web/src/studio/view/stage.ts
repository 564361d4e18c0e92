// The picture: the renderer, what is in the scene, and the loop that draws it when there is something new.
//
//     requestAnimationFrame ─▶ camera ─▶ hand ─▶ playout: which two frames, how far between ─▶ positions, normals
//                              ─▶ overlays ─▶ shadows' reach ─▶ draw
//
// Nothing is drawn while nothing changes. When it has rested for a moment it is drawn once more, as fine as can be.
import {effect} from '@preact/signals';
import {Box3, NeutralToneMapping, PCFShadowMap, Scene, SRGBColorSpace, WebGLRenderer} from 'three';
import type {Frame} from '../../lib/index.js';
import type {App, ViewFace} from '../model/app.js';
import type {CameraPose} from '../model/viewstate.js';
import type {Vec3} from '../model/values.js';
import {CameraRig} from './camera.js';
import {Content} from './content.js';
import {Ghost} from './ghost.js';
import {graphics} from './graphics.js';
import {Handles} from './handles.js';
import {CameraKeys} from './keys.js';
import {Looks, wantsStillness} from './looks.js';
import {keepViews, readViews} from './memory.js';
import {mean, Meter} from './meter.js';
import {Overlays} from './overlays.js';
import {toPage} from './pick.js';
import {Picker} from './picker.js';
import {Playout} from './playout.js';
import {Pointer} from './pointer.js';
import {Quality} from './quality.js';
import {setShadowTaps} from './shadows.js';
import {Sky} from './sky.js';
import {themeOf, type SceneTheme} from './theme.js';
import {WindHandle} from './wind.js';

const STATS_MS = 500;
const SHADOW_FIT_MS = 120;
const REST_MS = 250;
const LONG_REST_MS = 1500;
// A longer pause is a page that rested.
const GAP_MAX_MS = 5000;
const POSE_TOLD_MS = 200;
const RATIO_MAX = 2;

interface Timed {
  readonly frame: Frame;
}

export class Stage implements ViewFace {
  readonly meter: Meter;
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly rig: CameraRig;
  private readonly content: Content;
  private readonly looks: Looks;
  private readonly sky: Sky;
  private readonly overlays: Overlays;
  private readonly handles: Handles;
  private readonly wind: WindHandle;
  private readonly ghost: Ghost;
  private readonly picker: Picker;
  private readonly pointer: Pointer;
  private readonly keys: CameraKeys;
  private readonly quality: Quality;
  private readonly playout = new Playout<Timed>();
  private readonly offs: (() => void)[] = [];
  private readonly box = new Box3();
  private readonly soft: boolean;
  private theme: SceneTheme;
  private dirty = true;
  private refined: 'no' | 'full' | 'fine' = 'no';
  private contentStale = true;
  private shown: Frame | null = null;
  private scrubbed = false;
  private framed = true;
  // Whether there was nothing to look at yet.
  private waited = false;
  private linked: boolean;
  // The world that was looked at last.
  private seen = '';
  private handle = 0;
  private last = 0;
  private statsAt = 0;
  private shadowsAt = -Infinity;
  private drawnAt = 0;
  private drawFrom = 0;
  private poseAt = 0;
  // Revision at which positions jumped last.
  private cutAt = 0;

  // Throws where there is no WebGL.
  constructor(
    private readonly app: App,
    private readonly stage: HTMLElement,
    meter: Meter,
    pose: CameraPose | null,
  ) {
    this.meter = meter;
    this.canvas = document.createElement('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute(
      'aria-label',
      'Picture of the world: drag to pull, arrows turn, W A S D fly, F looks at the selection',
    );
    const means = graphics();
    if (means === 'none') {
      throw new Error('no WebGL 2');
    }
    // Where the processor draws, smooth edges cost too much: what rests is drawn finer instead.
    this.soft = means === 'software';
    this.quality = new Quality(this.soft ? 0.75 : 1);
    setShadowTaps(this.soft ? 1 : 9);
    // Opaque, unlike the renderer's own, so that the page under it need not be drawn.
    const context = this.canvas.getContext('webgl2', {
      alpha: false,
      stencil: false,
      antialias: !this.soft,
      powerPreference: 'high-performance',
    });
    if (!context) {
      throw new Error('no WebGL 2');
    }
    this.renderer = new WebGLRenderer({canvas: this.canvas, context});
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.info.autoReset = true;
    stage.append(this.canvas);
    this.theme = themeOf(app.viewState.theme.peek());
    this.rig = new CameraRig(pose ?? app.viewState.camera.peek());
    this.linked = pose !== null;
    const changed = () => this.invalidate();
    this.content = new Content(this.rig, this.canvas);
    this.looks = new Looks(app, this.rig, this.content, this.canvas);
    this.sky = new Sky(this.scene, this.soft ? 1024 : 2048);
    this.scene.add(this.content.object);
    this.overlays = new Overlays(app, this.content, stage, this.theme, changed);
    this.scene.add(this.overlays.object);
    this.handles = new Handles(app, this.content, this.scene, this.rig.camera, this.canvas, changed);
    this.wind = new WindHandle(app, this.content, this.rig, this.theme, changed);
    this.scene.add(this.wind.object);
    this.ghost = new Ghost(app.viewState, changed);
    this.scene.add(this.ghost.object);
    this.picker = new Picker(app, this.content, this.overlays);
    const {content, rig, overlays, handles, wind, picker} = this;
    this.pointer = new Pointer(
      {app, content, rig, overlays, handles, wind, picker, changed},
      this.canvas,
      stage,
    );
    this.keys = new CameraKeys(rig, this.canvas, () => this.focus(), changed);
    this.follow();
    this.paint();
    this.resize();
    this.handle = requestAnimationFrame(this.loop);
  }

  dispose(): void {
    cancelAnimationFrame(this.handle);
    this.offs.forEach((off) => off());
    this.keys.dispose();
    this.pointer.dispose();
    this.handles.dispose();
    this.wind.dispose();
    this.ghost.dispose();
    this.overlays.dispose();
    this.content.clear();
    this.renderer.dispose();
    this.canvas.remove();
  }

  invalidate(): void {
    this.dirty = true;
  }

  // -- ViewFace

  focus(what: 'selection' | 'all' = 'selection'): void {
    this.looks.focus(what);
    this.invalidate();
  }

  goTo(pose: CameraPose, animate = true): void {
    this.framed = true;
    this.rig.goTo(pose, animate && !wantsStillness());
    this.invalidate();
  }

  saveView(name: string): void {
    const views = [
      ...this.app.viewState.savedViews.peek().filter((view) => view.name !== name),
      {name, pose: this.rig.pose},
    ];
    this.keep(views);
  }

  removeView(name: string): void {
    this.keep(this.app.viewState.savedViews.peek().filter((view) => view.name !== name));
  }

  dropPoint(): Vec3 {
    return this.looks.dropPoint();
  }

  project(body: number, particle: number): {x: number; y: number} | null {
    const positions = this.content.positionsOf(body);
    const i = 3 * particle;
    if (!positions || i + 2 >= positions.length) {
      return null;
    }
    const at = {x: 0, y: 0, depth: 0};
    toPage(this.content.screen, positions[i], positions[i + 1], positions[i + 2], at);
    const rect = this.canvas.getBoundingClientRect();
    return at.depth > 0 ? {x: at.x + rect.left, y: at.y + rect.top} : null;
  }

  drawn(body: number): Float32Array | null {
    return this.content.positionsOf(body);
  }

  capture(): Promise<Blob> {
    this.draw(performance.now(), true);
    return new Promise((resolve, reject) => {
      this.canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))),
        'image/png',
      );
    });
  }

  pickAt(x: number, y: number, mode: 'replace' | 'add' | 'toggle' = 'replace'): void {
    const thing = this.picker.thingAt(x, y, 12);
    if (thing) {
      this.app.selection.select([thing], mode);
    } else if (mode === 'replace') {
      this.app.selection.clear();
    }
  }

  // Ends a drag that is under way, if there is one.
  cancel(): boolean {
    return this.pointer.cancel();
  }

  // -- following the model

  private follow(): void {
    const {app} = this;
    const {document: world, viewState} = app;
    const resized = new ResizeObserver(() => this.resize());
    resized.observe(this.stage);
    const visible = () => {
      app.frames.perSecond.value = document.hidden ? 1 : 60;
      this.playout.relearn();
      this.invalidate();
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && this.cancel()) {
        event.stopPropagation();
      }
    };
    const lost = (event: Event) => {
      event.preventDefault();
      viewState.failure.value = 'The graphics card was lost; the picture comes back when it does.';
    };
    const restored = () => {
      viewState.failure.value = '';
      this.invalidate();
    };
    document.addEventListener('visibilitychange', visible);
    window.addEventListener('keydown', escape, true);
    this.canvas.addEventListener('webglcontextlost', lost);
    this.canvas.addEventListener('webglcontextrestored', restored);
    this.offs.push(
      () => resized.disconnect(),
      () => document.removeEventListener('visibilitychange', visible),
      () => window.removeEventListener('keydown', escape, true),
      app.frames.onFrame((frame) => this.onFrame(frame)),
      world.onEdit((edit) => {
        this.cutAt = edit.cut ? edit.revision : this.cutAt;
      }),
      effect(() => {
        void world.epoch.value;
        this.playout.clear();
        this.cutAt = 0;
        this.shown = null;
        this.contentStale = true;
      }),
      effect(() => {
        void [world.bodies.value, world.colliders.value];
        this.rig.floor = this.looks.ground();
        this.contentStale = true;
        this.invalidate();
      }),
      effect(() => {
        const {state, rate} = world.run.value;
        this.playout.run(state === 'playing', rate);
        this.invalidate();
      }),
      effect(() => {
        this.theme = themeOf(viewState.theme.value);
        this.paint();
      }),
      effect(() => {
        this.sky.shadows = viewState.overlays.shadows.value;
        this.invalidate();
      }),
      effect(() => {
        const on = viewState.overlays.wireframe.value;
        this.content.bodies.forEach((body) => body.showWireframe(on) && body.paint(this.theme));
        this.invalidate();
      }),
      effect(() => {
        void [app.selection.selected.value, app.selection.hovered.value];
        this.glow();
      }),
      effect(() => {
        void app.scrubber.shown.value;
        this.invalidate();
      }),
      effect(() => {
        viewState.savedViews.value = readViews(world.name.value);
      }),
      effect(() => {
        // Another world is looked at as a whole, unless the link said how; one that came back is not another.
        if (world.world.value !== 0) {
          const name = world.name.peek();
          this.framed = this.linked || this.seen === name;
          this.linked = false;
          this.waited = false;
          this.seen = name;
        }
      }),
    );
  }

  private onFrame(frame: Frame): void {
    const {tick_rate: rate, substeps} = this.app.document.settings.peek();
    const t = (frame.tick + frame.substep / substeps) / rate;
    // Frames from before the jump may come after the notice of it.
    const before = this.playout.newest?.frame.revision ?? 0;
    this.playout.push(t, frame.receivedAt, {frame}, before < this.cutAt && frame.revision >= this.cutAt);
  }

  private keep(views: ReturnType<typeof readViews>): void {
    this.app.viewState.savedViews.value = views;
    keepViews(this.app.document.name.peek(), views);
  }

  private paint(): void {
    this.sky.paint(this.theme);
    this.content.paint(this.theme);
    this.overlays.paint(this.theme);
    this.wind.paint(this.theme);
    this.glow();
  }

  // What is selected shines, and a little what the pointer is over.
  private glow(): void {
    const selected = this.app.selection.selected.peek();
    const hovered = this.app.selection.hovered.peek();
    const grabbing = this.app.viewState.tool.peek() === 'grab';
    for (const [id, body] of this.content.bodies) {
      const over = hovered?.kind === 'body' && hovered.body === id && !grabbing;
      body.glow(
        selected.bodies.has(id) || over ? this.theme.accent : null,
        selected.bodies.has(id) ? 0.55 : 0.25,
      );
    }
    for (const [id, collider] of this.content.colliders) {
      const over = hovered?.kind === 'collider' && hovered.collider === id;
      collider.glow(
        selected.colliders.has(id) || over ? this.theme.accent : null,
        selected.colliders.has(id) ? 0.55 : 0.2,
      );
    }
    this.invalidate();
  }

  private resize(): void {
    const {clientWidth: width, clientHeight: height} = this.stage;
    const full = this.refined === 'fine' ? RATIO_MAX : Math.min(RATIO_MAX, window.devicePixelRatio || 1);
    const ratio = full * (this.refined === 'no' ? this.quality.scale : 1);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(Math.max(1, width), Math.max(1, height), false);
    this.rig.resize(width, height);
    this.content.resize(width, height);
    this.overlays.resize(width * ratio, height * ratio, ratio);
    this.wind.resize(width * ratio, height * ratio, ratio);
    this.invalidate();
  }

  // -- the loop

  private readonly loop = (): void => {
    this.handle = requestAnimationFrame(this.loop);
    const from = performance.now();
    const elapsed = this.last === 0 ? 16 : Math.min(100, from - this.last);
    this.last = from;
    const drawn = this.step(from, elapsed / 1000);
    const now = performance.now();
    if (drawn) {
      const gap = from - this.drawnAt;
      this.drawnAt = from;
      this.meter.frame(from, now);
      if (this.refined === 'no' && gap < GAP_MAX_MS && this.quality.frame(now, gap, this.drawFrom - from)) {
        this.resize();
      }
    } else {
      this.meter.rest();
      this.quality.rest();
    }
    this.tell(now);
  };

  // Whether anything was drawn.
  private step(now: number, seconds: number): boolean {
    this.pointer.update(now);
    if (this.rig.update(seconds)) {
      this.dirty = true;
    }
    const moved = this.advance(now);
    if (!moved && !this.dirty) {
      return this.refine(now);
    }
    if (this.refined !== 'no') {
      this.refined = 'no';
      this.resize();
    }
    this.dirty = false;
    this.overlays.update(moved, this.shown);
    this.draw(now, false);
    return true;
  }

  // Brings bodies to where they are now. Whether anything moved.
  private advance(now: number): boolean {
    let moved = false;
    if (this.contentStale) {
      this.contentStale = false;
      moved = this.content.sync(this.app.document, this.theme, this.app.viewState.overlays.wireframe.peek());
      if (moved) {
        this.glow();
        this.shadowsAt = -Infinity;
      }
    }
    const scrub = this.app.scrubber.shown.peek();
    const playing = this.playout.advance(now);
    if (scrub) {
      if (this.shown !== scrub || moved) {
        this.content.apply(scrub, scrub, 0);
        this.shown = scrub;
        moved = true;
      }
    } else if (playing && (playing.changed || moved || this.scrubbed)) {
      this.content.apply(playing.a.frame, playing.b.frame, playing.alpha);
      this.shown = playing.b.frame;
      moved = true;
    }
    this.scrubbed = scrub !== null;
    if (!this.framed && playing && this.content.bodies.size === this.app.document.bodies.peek().size) {
      this.framed = this.looks.first(!this.waited);
      this.waited = true;
    }
    return moved;
  }

  private draw(now: number, whole: boolean): void {
    if (now - this.shadowsAt > SHADOW_FIT_MS) {
      this.shadowsAt = now;
      this.sky.fit(this.content.bounds(this.box));
    }
    this.content.colliders.forEach((collider) => collider.follow(this.rig.target, this.rig.camera.position));
    this.wind.update();
    this.overlays.place();
    this.sky.prepare(this.rig.camera);
    if (whole) {
      this.refined = this.soft ? 'fine' : 'full';
      this.resize();
      this.overlays.update(true, this.shown);
    }
    this.drawFrom = performance.now();
    this.renderer.render(this.scene, this.rig.camera);
  }

  // When the picture rests: once in full resolution and then, where edges are not smoothed, once finer than that.
  private refine(now: number): boolean {
    const rest = now - this.drawnAt;
    const next = this.quality.scale < 1 && rest > REST_MS && this.refined === 'no' ? 'full' : this.refined;
    const wanted = this.soft && rest > LONG_REST_MS ? 'fine' : next;
    if (wanted !== this.refined) {
      this.refined = wanted;
      this.resize();
      this.dirty = false;
      this.draw(now, false);
    }
    return false;
  }

  private tell(now: number): void {
    const {viewState} = this.app;
    if (now - this.poseAt > POSE_TOLD_MS) {
      this.poseAt = now;
      const pose = this.rig.pose;
      const before = viewState.camera.peek();
      const same =
        pose.position.every((x, i) => x === before.position[i]) &&
        pose.target.every((x, i) => x === before.target[i]);
      if (!same) {
        viewState.camera.value = pose;
      }
    }
    if (now - this.statsAt > STATS_MS) {
      const {work, gaps} = this.meter;
      const seconds = (now - this.statsAt) / 1000;
      this.statsAt = now;
      let triangles = 0;
      let particles = 0;
      for (const body of this.content.bodies.values()) {
        triangles += body.triangleCount;
        particles += body.body.particles;
      }
      viewState.stats.value = {
        framesPerSecond: work.length / seconds,
        mainMs: mean(work),
        delayMs: this.playout.delayMs,
        triangles,
        particles,
        resolution: this.refined === 'no' ? this.quality.scale : 1,
      };
      if (!this.measuring) {
        work.length = 0;
        gaps.length = 0;
      }
    }
  }

  // While a benchmark reads the meter, it is left alone.
  measuring = false;
}
