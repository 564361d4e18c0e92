// The air as streaks: tracers that go with the wind, its gusts, and with winds and fans among the fields of force. A
// streak is as long as what the air goes in a short time.
import {effect} from '@preact/signals';
import {Box3, Group} from 'three';
import type {Frame} from '../../../lib/index.js';
import {Air, wayOn, type GustWay} from '../../model/air.js';
import {hasEnd} from '../../model/forcefields.js';
import {fieldsOf, vec4Of} from '../../model/values.js';
import type {LateParts} from '../lateparts.js';
import {Lines} from '../lines.js';
import {packed} from '../strain.js';
import {rgb, type SceneTheme} from '../theme.js';

const COUNT = 700;
const LIFE_S = 1.6;
const STREAK_S = 0.07;
const AROUND = 0.8;
// Slower air is not seen.
const SLOWEST = 0.05;
const WAY_MS = 2000;
// The air of each tracer is found once in so many frames.
const TURNS = 3;
const NO_WAY: GustWay = [0, 0, 0, 0];

export class Streaks {
  readonly object = new Group();
  private readonly lines = new Lines(0.8, true, 4);
  private readonly positions = new Float32Array(6 * COUNT);
  private readonly colors = new Uint32Array(2 * COUNT);
  private readonly tracers = new Float32Array(3 * COUNT);
  private readonly airs = new Float32Array(3 * COUNT);
  private turn = 0;
  private readonly ages = new Float32Array(COUNT);
  private readonly offs: (() => void)[];
  private readonly box = new Box3();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private known: {readonly way: GustWay; readonly tick: number} = {way: NO_WAY, tick: 0};
  private on = false;
  private stale = true;
  private last = 0;
  private theme: SceneTheme;

  constructor(private readonly parts: LateParts) {
    this.theme = parts.theme;
    this.object.add(this.lines.object);
    this.lines.take(this.positions, this.colors);
    const {app, changed} = parts;
    this.offs = [
      effect(() => {
        this.on = app.viewState.overlays.streaks.value;
        clearTimeout(this.timer);
        if (this.on) void this.ask();
        this.ages.forEach((_, i) => (this.ages[i] = Math.random() * LIFE_S));
        this.scatter();
        changed();
      }),
      effect(() => {
        void [app.document.settings.value.wind, app.document.forces.value, app.document.playing.value];
        this.stale = true;
        changed();
      }),
    ];
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.stale = true;
  }

  resize(): void {}

  update(_moved: boolean, _frame: Frame | null, now: number): void {
    const {app, changed} = this.parts;
    const playing = app.document.playing.peek();
    if (!this.on) {
      if (this.stale) this.lines.show(0, false);
      this.stale = false;
      return;
    }
    const seconds = playing ? Math.min(0.1, (now - this.last) / 1000) * (app.document.run.peek().rate || 1) : 0;
    this.last = now;
    if (!playing && !this.stale) return;
    this.stale = false;
    this.advance(seconds);
    if (playing) changed();
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    clearTimeout(this.timer);
    this.lines.dispose();
  }

  // How far gusts have drifted is asked now and then; between, it follows from the wind.
  private async ask(): Promise<void> {
    const {app} = this.parts;
    const world = app.document.world.peek();
    try {
      const told = world === 0 ? null : await app.client.call('world.get', {world});
      if (told) {
        this.known = {way: vec4Of(fieldsOf(told.wind).gust_way, NO_WAY), tick: told.tick};
      }
    } catch {
      // The connection is lost, and asked again.
    }
    if (this.on) this.timer = setTimeout(() => void this.ask(), WAY_MS);
  }

  private air(): Air {
    const {document} = this.parts.app;
    const {wind, tick_rate: rate, resolution} = document.settings.peek();
    const ticks = Math.max(0, document.tick.peek() - this.known.tick);
    const way = wayOn(this.known.way, wind, ticks / rate);
    return new Air(wind, document.forces.peek().values(), way, resolution);
  }

  // Tracers may be around all things, and in the regions of fields that end.
  private region(): Box3 {
    this.parts.content.bounds(this.box);
    if (this.box.isEmpty()) this.box.set(this.parts.rig.target.clone().subScalar(1), this.parts.rig.target.clone().addScalar(1));
    this.box.expandByScalar(AROUND);
    for (const field of this.parts.app.document.forces.peek().values()) {
      if ((field.kind !== 'wind' && field.kind !== 'fan') || !hasEnd(field)) continue;
      const {position, radius, half_extents: half} = field;
      const reach = half.map((edge) => (edge > 0 ? edge : radius));
      for (const sign of [-1, 1]) {
        const [x, y, z] = position.map((one, axis) => one + sign * reach[axis]);
        this.box.expandByPoint(this.box.min.clone().set(x, y, z));
      }
    }
    return this.box;
  }

  private scatter(): void {
    const region = this.region();
    for (let i = 0; i < COUNT; i++) this.born(i, region);
    this.stale = true;
  }

  // Half of the tracers begin where a fan or a wind blows.
  private born(i: number, {min, max}: Box3): void {
    const blowing = [...this.parts.app.document.forces.peek().values()].filter(({kind}) => kind === 'fan' || kind === 'wind');
    const field = blowing.length > 0 && i % 2 === 0 ? blowing[(i >> 1) % blowing.length] : null;
    const spread = field ? (field.kind === 'fan' ? [field.width, field.width, field.width] : field.half_extents) : null;
    for (let axis = 0; axis < 3; axis++) {
      const [low, high] = [min.getComponent(axis), max.getComponent(axis)];
      const near = field && spread ? field.position[axis] + (2 * Math.random() - 1) * (spread[axis] || 1) : null;
      this.tracers[3 * i + axis] = near ?? low + Math.random() * (high - low);
    }
    this.airs[3 * i] = NaN;
  }

  private advance(seconds: number): void {
    const air = this.air();
    const region = this.region();
    const u: [number, number, number] = [0, 0, 0];
    const opaque = packed(rgb(this.theme.wind)) & 0x00ffffff;
    let shown = 0;
    this.turn = (this.turn + 1) % TURNS;
    for (let i = 0; i < COUNT; i++) {
      const at = 3 * i;
      this.ages[i] += seconds;
      const [x, y, z] = [this.tracers[at], this.tracers[at + 1], this.tracers[at + 2]];
      const {min, max} = region;
      const out = x < min.x || y < min.y || z < min.z || x > max.x || y > max.y || z > max.z;
      if (this.ages[i] > LIFE_S || out) {
        this.ages[i] = out ? Math.random() * LIFE_S : 0;
        this.born(i, region);
        continue;
      }
      if (i % TURNS === this.turn || Number.isNaN(this.airs[at])) {
        air.at(x, y, z, u);
        this.airs.set(u, at);
      }
      u[0] = this.airs[at];
      u[1] = this.airs[at + 1];
      u[2] = this.airs[at + 2];
      const speed = Math.hypot(u[0], u[1], u[2]);
      if (speed < SLOWEST) {
        this.ages[i] += 4 * seconds; // it looks for air that moves
        continue;
      }
      const life = this.ages[i] / LIFE_S;
      const alpha = Math.round(255 * Math.min(1, 4 * life, 2 * (1 - life)) * Math.min(1, 0.35 + speed / 8));
      for (let axis = 0; axis < 3; axis++) {
        this.tracers[at + axis] += seconds * u[axis];
        this.positions[6 * shown + axis] = this.tracers[at + axis] - STREAK_S * u[axis];
        this.positions[6 * shown + 3 + axis] = this.tracers[at + axis];
      }
      // The tail is clear.
      this.colors[2 * shown] = opaque;
      this.colors[2 * shown + 1] = opaque | (alpha << 24);
      shown++;
    }
    this.lines.show(shown, true);
  }
}
