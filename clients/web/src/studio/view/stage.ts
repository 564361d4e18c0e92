// The picture: the renderer, what is in the scene, and the loop that draws it when there is something new.
//
//     requestAnimationFrame ─▶ camera ─▶ hand ─▶ playout: which two frames, how far between ─▶ positions, normals
//                              ─▶ overlays ─▶ shadows' reach ─▶ draw
//
// A second picture (pane.ts) takes the other half of the page while a world is shown beside the one that is open.
//
// Nothing is drawn while nothing changes. When it has rested for a moment it is drawn once more, finer than the screen.
import {effect} from '@preact/signals';
import {Box3, Scene, type WebGLRenderer} from 'three';
import type {App, Still, Viewport} from '../model/app.js';
import type {Anchor} from '../model/measures.js';
import {isColoured, type CameraPose} from '../model/viewstate.js';
import type {Vec3} from '../model/values.js';
import type {Paint, ShownLines} from './body.js';
import {placeOf} from './anchors.js';
import {Aside} from './aside.js';
import {CameraRig} from './camera.js';
import {CanvasSize, makeCanvas} from './canvas.js';
import {Content} from './content.js';
import {Framing} from './framing.js';
import {Ghost} from './ghost.js';
import {Grid} from './grid.js';
import {Handles} from './handles.js';
import {CameraKeys} from './keys.js';
import {Later} from './later.js';
import {Looks, wantsStillness} from './looks.js';
import {LIGHT_MOST, Lighting, type LightLevel} from './lighting.js';
import {keepViews, readViews} from './memory.js';
import type {Meter} from './meter.js';
import {Others} from './others.js';
import {Overlays} from './overlays.js';
import {watchPage} from './page.js';
import {Pane} from './pane.js';
import {canvasOf, cutOut, pixelsOf, pngOf} from './cutout.js';
import {toPage} from './pick.js';
import {Picker} from './picker.js';
import {Player} from './player.js';
import {Pointer} from './pointer.js';
import {Quality} from './quality.js';
import type {Rulers} from './rulers.js';
import {setShadowTaps} from './shadows.js';
import type {Detail} from './sheet.js';
import {Sky} from './sky.js';
import {Telling} from './telling.js';
import {Turntable} from './turntable.js';
import {bodyColor, themeOf, type SceneTheme} from './theme.js';
import {WindHandle} from './wind.js';

const SHADOW_FIT_MS = 120;
const CURSOR_MS = 40;
const REST_MS = 250;
const LONG_REST_MS = 1500;
// A longer pause is a page that rested.
const GAP_MAX_MS = 5000;
// Pixels of the picture for one of the screen, along each side, in a picture that rests where the processor draws.
const FINER = 2;
const RATIO_MAX = 2;
const CARD_LOST = 'The connection to the graphics card was lost; the picture returns with it.';

export class Stage implements Viewport {
  readonly meter: Meter;
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly size = new CanvasSize();
  private readonly scene = new Scene();
  private readonly rig: CameraRig;
  private readonly aside: Aside;
  private readonly content: Content;
  private readonly looks: Looks;
  private readonly sky: Sky;
  private readonly lighting: Lighting;
  private readonly overlays: Overlays;
  private readonly handles: Handles;
  private readonly wind: WindHandle;
  private readonly later: Later;
  private readonly ghost: Ghost;
  private readonly others: Others;
  private readonly grid: Grid;
  // Comes with the first measure.
  private rulers: Promise<Rulers> | Rulers | null = null;
  private readonly picker: Picker;
  private readonly pointer: Pointer;
  private readonly keys: CameraKeys;
  private readonly quality: Quality;
  private readonly player: Player;
  private readonly telling: Telling;
  private readonly turntable: Turntable;
  private readonly offs: (() => void)[] = [];
  private readonly box = new Box3();
  private readonly soft: boolean;
  private theme: SceneTheme;
  private dirty = true;
  private refined: 'no' | 'full' | 'fine' = 'no';
  private readonly framing: Framing;
  private handle = 0;
  private last = 0;
  private shadowsAt = -Infinity;
  private drawnAt = 0;
  private drawFrom = 0;
  private pane: Pane | null = null;
  private followed = 0;

  // Throws where there is no WebGL.
  constructor(
    private readonly app: App,
    private readonly stage: HTMLElement,
    meter: Meter,
    pose: CameraPose | null,
  ) {
    this.meter = meter;
    const {canvas, renderer, soft} = makeCanvas();
    this.canvas = canvas;
    this.renderer = renderer;
    this.soft = soft;
    this.quality = soft ? new Quality(0.75, 0) : new Quality();
    setShadowTaps(soft ? 1 : 9);
    stage.append(this.canvas);
    this.theme = themeOf(app.viewState.theme.peek());
    this.rig = new CameraRig(pose ?? app.viewState.camera.peek());
    const changed = () => this.invalidate();
    this.aside = new Aside(changed);
    this.content = new Content(this.rig, this.canvas, this.aside);
    this.player = new Player(app, this.content);
    this.telling = new Telling(app.viewState, this.rig, this.content, meter);
    this.looks = new Looks(app, this.rig, this.content, this.canvas);
    this.framing = new Framing(app, this.rig, this.looks, pose !== null);
    this.sky = new Sky(this.scene, this.soft ? 1024 : 2048);
    this.lighting = new Lighting(renderer, this.sky, () => this.paint());
    this.scene.add(this.content.object);
    this.overlays = new Overlays(app, this.content, stage, this.theme, changed);
    this.scene.add(this.overlays.object);
    this.handles = new Handles(app, this.content, this.scene, this.rig.camera, this.canvas, changed);
    this.wind = new WindHandle(app, this.content, this.rig, this.theme, changed);
    this.scene.add(this.wind.object);
    this.grid = new Grid(stage);
    this.scene.add(this.grid.object);
    this.ghost = new Ghost(app.viewState, changed);
    this.scene.add(this.ghost.object);
    this.others = new Others(app.people, this.content, this.rig, stage);
    this.scene.add(this.others.object);
    const repaint = () => {
      this.content.paint(this.paints);
      changed();
    };
    this.later = new Later({app, content: this.content, rig: this.rig, theme: this.theme, changed, repaint}, this.scene);
    this.picker = new Picker(app, this.content, this.overlays, this.later);
    const {content, rig, overlays, handles, wind, picker} = this;
    this.pointer = new Pointer(
      {app, content, rig, overlays, handles, wind, picker, changed},
      this.canvas,
      stage,
    );
    this.keys = new CameraKeys(rig, this.canvas, () => this.focus(), changed);
    this.turntable = new Turntable(app.viewState.turntable, rig, this.canvas);
    this.follow();
    this.paint();
    this.resize();
    this.handle = requestAnimationFrame(this.loop);
  }

  dispose(): void {
    cancelAnimationFrame(this.handle);
    this.offs.forEach((off) => off());
    this.pane?.dispose();
    this.keys.dispose();
    this.turntable.dispose();
    this.pointer.dispose();
    this.handles.dispose();
    this.wind.dispose();
    this.grid.dispose();
    void Promise.resolve(this.rulers).then((rulers) => rulers?.dispose());
    this.later.dispose();
    this.ghost.dispose();
    this.others.dispose();
    this.overlays.dispose();
    this.content.clear();
    this.aside.close();
    this.lighting.dispose();
    this.renderer.dispose();
    this.canvas.remove();
  }

  invalidate(): void {
    this.dirty = true;
  }

  // -- Viewport

  focus(what: 'selection' | 'all' = 'selection'): void {
    this.framing.focus(what, this.player.complete);
    this.invalidate();
  }

  goTo(pose: CameraPose, animate = true): void {
    this.framing.leave();
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

  lookAlong(side: 'front' | 'side' | 'top'): void {
    this.framing.leave();
    this.rig.lookAlong(side, !wantsStillness());
    this.invalidate();
  }

  taken(): ReturnType<Content['boxes']> {
    return this.content.boxes();
  }

  boxOf(thing: 'body' | 'collider', id: number): {min: Vec3; max: Vec3} | null {
    const ids = new Set([id]);
    const box = this.content.bounds(new Box3(), thing === 'body' ? {bodies: ids} : {colliders: ids});
    const ends = thing === 'body' || this.content.colliders.get(id)?.collider.kind !== 'plane';
    return box.isEmpty() || !ends ? null : {min: box.min.toArray(), max: box.max.toArray()};
  }

  placeOf(anchor: Anchor): Vec3 | null {
    return placeOf(this.content, anchor);
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

  colorOf(thing: 'body' | 'collider', id: number): string {
    const theme = themeOf(this.app.viewState.theme.peek());
    if (thing === 'body') return `#${bodyColor(theme, id).getHexString()}`;
    const plane = this.app.document.colliders.peek().get(id)?.kind === 'plane';
    return `#${(plane ? theme.ground : theme.collider).getHexString()}`;
  }

  surface(body: number): Float32Array | null {
    return this.content.bodies.get(body)?.sheet?.vertices ?? null;
  }

  async capture(): Promise<Blob> {
    if (this.app.viewState.background.peek() === 'none') {
      return pngOf(canvasOf(this.alone(() => this.draw(performance.now(), true))));
    }
    this.draw(performance.now(), true);
    return pngOf(this.canvas);
  }

  get tick(): number | null {
    return this.player.newestTick;
  }

  async still({width, height, transparent}: Still, take: (canvas: HTMLCanvasElement) => void): Promise<void> {
    const now = performance.now();
    this.player.finish();
    this.setDetail('fine');
    this.advance(now);
    await this.aside.settled();
    this.player.finish();
    this.advance(performance.now());
    this.fit(width, height, 1);
    this.overlays.update(true, this.player.shown);
    // Connections and arrows are drawn of the same state as the bodies.
    this.later.update(true, this.player.shown, now);
    this.shadowsAt = -Infinity;
    if (transparent) {
      take(canvasOf(this.alone(() => this.place(now))));
    } else {
      this.place(now);
      take(this.canvas);
    }
    this.resize();
  }

  // The picture without what is behind things: the sky, the ground and walls.
  private alone(draw: () => void): ImageData {
    const planes = [...this.content.colliders.values()].filter(({collider, mesh}) => collider.kind === 'plane' && mesh.visible);
    planes.forEach(({mesh}) => (mesh.visible = false));
    const before = (name: 'black' | 'white') => {
      this.sky.paint(themeOf(this.app.viewState.theme.peek(), name));
      draw();
      return pixelsOf(this.canvas);
    };
    const [black, white] = [before('black'), before('white')];
    planes.forEach(({mesh}) => (mesh.visible = true));
    this.paint();
    return new ImageData(cutOut(black.data, white.data), black.width, black.height);
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
    const page = watchPage(this.stage, this.canvas, {
      resize: () => this.resize(),
      visible: (hidden) => {
        app.frames.perSecond.value = hidden ? 1 : 60;
        this.player.relearn();
        this.invalidate();
      },
      escape: () => this.cancel(),
      card: (there) => {
        viewState.failure.value = there ? '' : CARD_LOST;
        if (there) {
          this.lighting.renew();
        }
        this.invalidate();
      },
    });
    this.offs.push(
      page,
      app.frames.onFrame((frame) => this.player.take(frame)),
      world.onEdit((edit) => edit.cut && this.player.cut(edit.revision)),
      effect(() => {
        void world.epoch.value;
        this.player.restart();
      }),
      effect(() => {
        void [world.bodies.value, world.colliders.value];
        this.rig.floor = this.looks.ground();
        this.player.invalidate();
        this.invalidate();
      }),
      effect(() => {
        const {state, rate} = world.run.value;
        this.player.run(state === 'playing', rate);
        this.invalidate();
      }),
      effect(() => {
        this.theme = themeOf(viewState.theme.value, viewState.background.value);
        void [viewState.overlays.constraints.value, viewState.overlays.filled.value, viewState.looks.value];
        void [this.app.frames.sleeping.value, viewState.overlays.field.value];
        this.paint();
      }),
      effect(() => {
        this.rig.flat = viewState.orthographic.value;
        this.invalidate();
      }),
      effect(() => {
        this.sky.shadows = viewState.overlays.shadows.value;
        this.invalidate();
      }),
      effect(() => {
        void [viewState.light.value, viewState.turntable.value];
        this.invalidate();
      }),
      effect(() => this.split(app.beside.shown.value)),
      effect(() => {
        const {grid, axes} = viewState.overlays;
        void world.colliders.value;
        this.grid.show(grid.value && this.looks.ground() === null, axes.value);
        this.invalidate();
      }),
      effect(() => {
        const {wireframe, lattice} = viewState.overlays;
        void [wireframe.value, lattice.value];
        this.content.bodies.forEach((body) => body.showLines(this.lines) && body.paint(this.paints));
        this.pane?.showLines();
        this.invalidate();
      }),
      effect(() => {
        void [app.selection.selected.value, app.selection.hovered.value];
        this.glow();
      }),
      effect(() => {
        if (viewState.tool.value === 'measure' || viewState.measures.value.length > 0) {
          this.rulers ??= this.makeRulers();
        }
      }),
      effect(() => {
        void app.scrubber.shown.value;
        this.invalidate();
      }),
      effect(() => {
        viewState.savedViews.value = readViews(world.name.value);
      }),
      effect(() => {
        void app.people.others.value;
        this.glow();
        this.fly(app.people.following.value);
      }),
      this.watchCursor(),
      () => this.framing.dispose(),
    );
  }

  private async makeRulers(): Promise<Rulers> {
    const {Rulers} = await import('./rulers.js');
    const rulers = new Rulers(this.app, this.content, this.stage, () => this.invalidate());
    this.scene.add(rulers.object);
    this.rulers = rulers;
    this.resize();
    return rulers;
  }

  // Where the pointer is in the world, for others to see.
  private watchCursor(): () => void {
    let at: {x: number; y: number} | null = null;
    let asked = 0;
    const tell = () => {
      asked = 0;
      const hit = at && this.content.hit(at.x, at.y);
      this.app.people.point(hit ? hit.point : at && this.content.beside(at.x, at.y, this.rig.target));
    };
    const move = (event: PointerEvent) => {
      at = {x: event.clientX, y: event.clientY};
      asked ||= window.setTimeout(tell, CURSOR_MS);
    };
    const leave = () => {
      at = null;
      asked ||= window.setTimeout(tell, CURSOR_MS);
    };
    this.canvas.addEventListener('pointermove', move);
    this.canvas.addEventListener('pointerleave', leave);
    return () => {
      clearTimeout(asked);
      this.canvas.removeEventListener('pointermove', move);
      this.canvas.removeEventListener('pointerleave', leave);
    };
  }

  // Goes where somebody else looks from, until the hand is on this page's own camera.
  private fly(session: number): void {
    const camera = this.app.people.others.peek().get(session)?.camera;
    if (session !== this.followed) {
      this.followed = session;
      this.rig.handled = false;
    }
    if (camera) {
      this.framing.leave();
      this.rig.goTo({position: camera.position, target: camera.target}, !wantsStillness());
    }
    this.invalidate();
  }

  private get paints(): Paint {
    const {overlays, looks} = this.app.viewState;
    return {
      theme: this.theme,
      plain: isColoured(overlays.constraints.peek()) || overlays.field.peek() !== 'off',
      filled: overlays.filled.peek(),
      own: looks.peek(),
      sleeping: this.app.frames.sleeping.peek(),
      fine: this.lighting.fine,
    };
  }

  private get lines(): ShownLines {
    const {wireframe, lattice} = this.app.viewState.overlays;
    return {wireframe: wireframe.peek(), lattice: lattice.peek()};
  }

  private keep(views: ReturnType<typeof readViews>): void {
    this.app.viewState.savedViews.value = views;
    keepViews(this.app.document.name.peek(), views);
  }

  private paint(): void {
    this.sky.paint(this.theme);
    this.lighting.paint(this.theme);
    this.content.paint(this.paints);
    this.pane?.paint();
    this.overlays.paint(this.theme);
    this.later.paint(this.theme);
    this.wind.paint(this.theme);
    this.grid.paint(this.theme);
    this.glow();
  }

  // What is selected shines, and a little what the pointer is over.
  private glow(): void {
    const selected = this.app.selection.selected.peek();
    const hovered = this.app.selection.hovered.peek();
    const grabbing = this.app.viewState.tool.peek() === 'grab';
    for (const [id, body] of this.content.bodies) {
      const over = hovered?.kind === 'body' && hovered.body === id && !grabbing;
      const own = selected.bodies.has(id) || over;
      body.glow(
        own ? this.theme.accent : this.others.holderOf('bodies', id),
        selected.bodies.has(id) ? 0.55 : over ? 0.25 : 0.35,
      );
    }
    for (const [id, collider] of this.content.colliders) {
      const over = hovered?.kind === 'collider' && hovered.collider === id;
      const own = selected.colliders.has(id) || over;
      collider.glow(
        own ? this.theme.accent : this.others.holderOf('colliders', id),
        selected.colliders.has(id) ? 0.55 : over ? 0.2 : 0.3,
      );
    }
    this.invalidate();
  }

  // Gives half of the page to a world beside this one, or takes it back.
  private split(shown: boolean): void {
    this.pane?.dispose();
    this.pane = null;
    this.stage.classList.toggle('halved', shown);
    if (shown) {
      const alike = {paint: () => this.paints, lines: () => this.lines, changed: () => this.invalidate()};
      try {
        this.pane = new Pane(this.app, this.rig, this.stage, alike);
      } catch {
        this.stage.classList.remove('halved');
        this.app.notices.info('This browser cannot draw a second picture.');
        this.app.beside.leave();
      }
    }
    this.resize();
  }

  private resize(): void {
    const {clientWidth: width, clientHeight: height} = this.stage;
    const screen = window.devicePixelRatio || 1;
    const full = Math.min(RATIO_MAX, this.refined === 'fine' ? FINER * screen : screen);
    const ratio = full * (this.refined === 'no' ? this.quality.scale : 1);
    this.fit(width, height, ratio);
    this.pane?.resize(ratio);
    this.invalidate();
  }

  // ratio: pixels of the picture for one of these.
  private fit(width: number, height: number, ratio: number): void {
    this.size.want(width, height, ratio);
    this.rig.resize(width, height);
    this.content.resize(width, height);
    this.overlays.resize(width * ratio, height * ratio, ratio);
    this.wind.resize(width * ratio, height * ratio, ratio);
    this.later.resize(width * ratio, height * ratio, ratio);
    this.grid.resize(width * ratio, height * ratio, ratio);
    if (this.rulers && 'resize' in this.rulers) {
      this.rulers.resize(width * ratio, height * ratio, ratio);
    }
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
    this.telling.update(now, this.player.delayMs, this.refined === 'no' ? this.quality.scale : 1);
  };

  // Whether anything was drawn.
  private step(now: number, seconds: number): boolean {
    this.pointer.update(now);
    this.turntable.update(seconds);
    if (this.rig.update(seconds)) {
      this.dirty = true;
    }
    if (this.others.advance(seconds, wantsStillness())) {
      this.dirty = true;
    }
    if (this.rig.handled && this.followed !== 0) {
      this.app.people.unfollow();
    }
    this.app.people.look(this.rig.pose, (this.rig.camera.fov * Math.PI * this.rig.farther) / 180);
    const moved = this.advance(now);
    const beside = this.pane?.advance(now) ?? false;
    if (!moved && !beside && !this.dirty) {
      return this.refine(now);
    }
    if (this.refined !== 'no') {
      this.refined = 'no';
      this.resize();
    }
    this.dirty = false;
    this.overlays.update(moved, this.player.shown);
    this.later.update(moved, this.player.shown, now);
    this.setDetail(this.soft || this.quality.coarse ? 'coarse' : 'fine');
    this.draw(now, false);
    if (moved) {
      const end = performance.now();
      this.player.took(end, end - now);
    }
    return true;
  }

  // Brings bodies to where they are now. Whether anything moved.
  private advance(now: number): boolean {
    const {moved, changed} = this.player.advance(now, this.paints, this.lines);
    if (changed) {
      this.glow();
      this.shadowsAt = -Infinity;
    }
    if (this.player.complete) {
      this.framing.complete(changed);
    }
    return moved;
  }

  private draw(now: number, whole: boolean): void {
    this.place(now, whole);
    this.pane?.draw(now);
  }

  private place(now: number, whole = false): void {
    if (now - this.shadowsAt > SHADOW_FIT_MS) {
      this.shadowsAt = now;
      this.sky.fit(this.content.bounds(this.box));
    }
    this.content.colliders.forEach((collider) => collider.follow(this.rig.target, this.rig.camera.position));
    this.wind.update();
    this.handles.update();
    this.overlays.place();
    this.grid.place(this.content.screen);
    if (this.rulers && 'place' in this.rulers) {
      this.rulers.place(this.theme);
    }
    this.others.place();
    this.sky.prepare(this.rig.camera);
    if (whole) {
      this.refined = this.soft ? 'fine' : 'full';
      this.resize();
      this.overlays.update(true, this.player.shown);
    }
    this.drawFrom = performance.now();
    this.size.apply(this.renderer);
    this.light();
    this.renderer.render(this.scene, this.rig.camera);
  }

  // Fine materials are loaded once there is something to be seen in them.
  private light(): void {
    const {lighting, content, rig, app} = this;
    const choice = app.viewState.light.peek();
    const automatic = this.player.complete ? this.quality.light : 0;
    lighting.level = choice === 'auto' ? automatic : choice === 'best' ? LIGHT_MOST : 0;
    const plain = isColoured(app.viewState.overlays.constraints.peek());
    lighting.prepare(content.object, rig.camera, rig.farther, plain);
  }

  private setDetail(detail: Detail): void {
    this.content.detail = detail;
    if (this.pane) {
      this.pane.detail = detail;
    }
  }

  // When the picture rests: once in full resolution and then, where edges are not smoothed, once finer than that.
  private refine(now: number): boolean {
    const rest = now - this.drawnAt;
    const worse = this.quality.scale < 1 || this.soft || this.quality.coarse;
    const next = worse && rest > REST_MS && this.refined === 'no' ? 'full' : this.refined;
    const wanted = this.soft && rest > LONG_REST_MS ? 'fine' : next;
    if (wanted !== this.refined) {
      this.refined = wanted;
      this.resize();
      this.dirty = false;
      this.setDetail(this.soft || this.quality.coarse ? 'medium' : 'fine');
      this.draw(now, false);
    }
    return false;
  }

  // Which light is drawn; lighting.ts has the list.
  get lightLevel(): LightLevel {
    return this.lighting.level;
  }

  // While a benchmark reads the meter.
  set measuring(on: boolean) {
    this.telling.measuring = on;
  }
}
