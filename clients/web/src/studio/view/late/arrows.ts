// Forces as arrows: grabs, forces on bodies, what constraints that were added by hand pull with, and what hard pins hold.
// One length stands for one force: the scale is the viewer's, or such that the greatest arrow is of a good size.
import {effect} from '@preact/signals';
import {Color, Group} from 'three';
import type {Frame} from '../../../lib/index.js';
import {KINDS} from '../../../lib/index.js';
import {readForces, type Forces} from '../../model/stress.js';
import {blend} from '../../model/table.js';
import {CONSTRAINT_KINDS, type ConstraintKind, type Vec3} from '../../model/values.js';
import type {LateParts} from '../lateparts.js';
import type {SceneTheme} from '../theme.js';
import {WideLines} from '../widelines.js';
import {Shapes} from './shapes.js';

const EVERY_MS = 500;
const MOST = 600;
// The greatest arrow, in parts of how far away things are.
const LONGEST = 0.12;
const SHRINK = 0.98;
// Kinds whose force has a direction that their particles tell.
const PULLING: readonly ConstraintKind[] = CONSTRAINT_KINDS.filter((kind) =>
  ['length', 'gap', 'path', 'segment'].includes(KINDS[kind].c),
);

interface Arrow {
  readonly at: Vec3;
  readonly force: Vec3;
  readonly color: Color;
}

export class Arrows {
  readonly object = new Group();
  private readonly lines = new WideLines(2.4, false, 6);
  private readonly shapes = new Shapes(this.lines);
  private readonly offs: (() => void)[];
  private theme: SceneTheme;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private forces: readonly Forces[] = [];
  private on = false;
  private stale = true;
  private greatest = 0;

  constructor(private readonly parts: LateParts) {
    this.theme = parts.theme;
    this.object.add(this.lines.mesh);
    const {app, changed} = parts;
    this.offs = [
      effect(() => {
        this.on = app.viewState.overlays.arrows.value;
        this.stale = true;
        clearTimeout(this.timer);
        if (this.on) void this.ask();
        else app.viewState.shownArrows.value = null;
        changed();
      }),
      effect(() => {
        void [app.document.grabs.value, app.document.bodies.value, app.viewState.arrowRange.value];
        this.stale = true;
        if (this.on) changed();
      }),
    ];
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.stale = true;
  }

  resize(width: number, height: number, ratio: number): void {
    this.lines.resize(width, height, ratio);
  }

  update(moved: boolean, _frame: Frame | null, _now: number): void {
    if (!this.stale && !(this.on && moved)) return;
    this.stale = false;
    this.lines.begin();
    if (this.on) this.draw();
    this.lines.end();
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    clearTimeout(this.timer);
    this.lines.dispose();
  }

  private async ask(): Promise<void> {
    const {app} = this.parts;
    const world = app.document.world.peek();
    const bodies = [...app.document.bodies.peek().values()];
    const pinned = bodies.some(({pins}) => pins.length > 0);
    let wait = 0;
    try {
      const all: Forces[] = [];
      for (const kind of world === 0 ? [] : PULLING) {
        const loose = (app.document.constraints.loose(kind).peek()?.ids.length ?? 0) > 0;
        const own = pinned && ['length', 'segment'].includes(KINDS[kind].c) && bodies.some(({constraints}) => constraints[kind].count > 0);
        if (!loose && !own) continue;
        const {forces, waitMs} = await readForces(app.client, world, kind);
        wait = Math.max(wait, waitMs);
        if (forces) all.push(forces);
      }
      this.forces = all;
      this.stale = true;
      this.parts.changed();
    } catch {
      // The connection is lost: asked again until it is back.
    }
    if (this.on) this.timer = setTimeout(() => void this.ask(), EVERY_MS + wait);
  }

  private draw(): void {
    const {viewState} = this.parts.app;
    const arrows = this.arrows().sort((a, b) => size(b) - size(a)).slice(0, MOST);
    const largest = arrows.length > 0 ? size(arrows[0]) : 0;
    this.greatest = Math.max(largest, SHRINK * this.greatest, 1e-6);
    const full = viewState.arrowRange.peek() ?? this.greatest;
    const long = LONGEST * this.parts.rig.distance;
    for (const {at, force, color} of arrows) {
      const part = long / full;
      if (size({force}) * part < 0.01 * long) continue;
      this.shapes.arrow(at, [at[0] + part * force[0], at[1] + part * force[1], at[2] + part * force[2]], color);
    }
    const shown = {count: arrows.length, full: Number(full.toPrecision(2))};
    if (JSON.stringify(viewState.shownArrows.peek()) !== JSON.stringify(shown)) viewState.shownArrows.value = shown;
  }

  private arrows(): Arrow[] {
    const {app, content} = this.parts;
    const point = (body: number, particle: number): Vec3 | null => {
      const from = content.shownOf(body);
      const i = 3 * particle;
      return from && i + 2 < from.length ? [from[i], from[i + 1], from[i + 2]] : null;
    };
    const all: Arrow[] = [];
    for (const {body, particle, force} of app.document.grabs.peek().values()) {
      const at = point(body, particle);
      if (at) all.push({at, force, color: this.theme.grab});
    }
    for (const [id, {force}] of app.document.bodies.peek()) {
      const view = content.bodies.get(id);
      if (!force || !view || view.hidden) continue;
      const {min, max} = view.bounds;
      const at = [0, 1, 2].map((axis) => (min[axis] + max[axis]) / 2) as unknown as Vec3;
      all.push({at, force: force as unknown as Vec3, color: this.theme.velocity});
    }
    const pins = this.pinSums();
    for (const {table, pulls} of this.forces) {
      const {kind, stride, ids, bodies, particles, weights} = table;
      const loose = app.document.constraints.loose(kind).peek();
      const first = loose?.ids[0] ?? Infinity;
      for (let row = 0; row < ids.length; row++) {
        const places: number[] = [];
        for (let k = 0; k < stride; k++) {
          const at = point(bodies[stride * row + k], particles[stride * row + k]);
          if (at) places.push(...at);
        }
        if (places.length < 3 * stride) continue;
        if (KINDS[kind].c === 'gap') blend(places, weights.subarray(stride * row, stride * (row + 1)));
        const pull = KINDS[kind].c === 'gap' ? Math.abs(pulls[row]) : pulls[row];
        const isLoose = ids[row] >= first && loose !== null && loose.ids.includes(ids[row]);
        for (const [a, b] of KINDS[kind].c === 'path' ? [[0, 1], [2, 1]] : [[0, 1], [1, 0]]) {
          const at: Vec3 = [places[3 * a], places[3 * a + 1], places[3 * a + 2]];
          const way = [0, 1, 2].map((axis) => places[3 * b + axis] - at[axis]);
          const length = Math.hypot(...way);
          if (length < 1e-9) continue;
          const force = way.map((one) => (one * pull) / length) as unknown as Vec3;
          if (isLoose) all.push({at, force, color: this.theme.kinds[kind]});
          const sum = pins.get(`${bodies[stride * row + a]}:${particles[stride * row + a]}`);
          if (sum) force.forEach((one, axis) => (sum.force[axis] -= one));
        }
      }
    }
    pins.forEach(({at, force}) => all.push({at, force: force as unknown as Vec3, color: this.theme.pin}));
    return all;
  }

  // The forces of pins, against the pull of constraints at their particles, which the caller adds.
  private pinSums(): Map<string, {at: Vec3; force: [number, number, number]}> {
    const sums = new Map<string, {at: Vec3; force: [number, number, number]}>();
    for (const [id, body] of this.parts.app.document.bodies.peek()) {
      const from = this.parts.content.shownOf(id);
      for (let i = 0; from && i < body.pins.length && sums.size < MOST; i++) {
        const particle = body.pins[i];
        if (body.softness[i] !== 0 || 3 * particle + 2 >= from.length) continue;
        const at: Vec3 = [from[3 * particle], from[3 * particle + 1], from[3 * particle + 2]];
        sums.set(`${id}:${particle}`, {at, force: [0, 0, 0]});
      }
    }
    return sums;
  }
}

function size({force}: Pick<Arrow, 'force'>): number {
  return Math.hypot(...force);
}
