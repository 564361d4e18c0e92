// Physical fields as colours: strain, stress, speed, contact, what sleeps. Surfaces are filled, and ropes and points get
// wide lines and squares. Values are looked for again when a frame brought others, and never for more than a quarter of
// the time.
import {effect} from '@preact/signals';
import {Color, Group} from 'three';
import type {Frame} from '../../../lib/index.js';
import {KINDS} from '../../../lib/index.js';
import {strainOf} from '../../model/measured.js';
import {areasOf, readForces, STRESS_KINDS, stressOf, unitOf, type Forces} from '../../model/stress.js';
import {GRADIENTS, type ConstraintTable} from '../../model/table.js';
import {CONSTRAINT_KINDS, type ConstraintKind} from '../../model/values.js';
import type {FieldLook, ShownField} from '../../model/viewstate.js';
import type {LateParts} from '../lateparts.js';
import {packed, Ramp} from '../strain.js';
import {rgb, type SceneTheme} from '../theme.js';
import {WideLines} from '../widelines.js';

const SHARE = 4;
const STRESS_MS = 1000;
// Strains of these kinds are relative changes of length, area or volume along the body itself.
const STRAIN_KINDS: readonly ConstraintKind[] = CONSTRAINT_KINDS.filter((kind) =>
  ['length', 'strain'].includes(KINDS[kind].c) || (KINDS[kind].c === 'volume' && KINDS[kind].told.as === 'relative'),
);
const LINES_MOST = 20_000;
// An automatic range shrinks by this factor with each look, so that the scale does not flicker.
const SHRINK = 0.98;
const LEAST: Readonly<Record<string, number>> = {strain: 1e-4, stress: 1e-3, speed: 1e-3};

type Values = ReadonlyMap<number, ArrayLike<number>>;

export class Colours {
  readonly object = new Group();
  private readonly lines = new WideLines(5, true, 4);
  private readonly offs: (() => void)[] = [];
  private theme: SceneTheme;
  private ramp: Ramp;
  private look: FieldLook = 'off';
  private stale = true;
  private next = 0;
  private last: Frame | null = null;
  private forces: readonly Forces[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private range = 0;
  private tinted = false;
  private readonly color = new Color();

  constructor(private readonly parts: LateParts) {
    this.theme = parts.theme;
    this.ramp = rampOf(parts.theme);
    this.object.add(this.lines.mesh);
    const {app, changed} = parts;
    const {overlays, fieldRange} = app.viewState;
    this.offs.push(
      effect(() => {
        this.look = overlays.field.value;
        this.range = 0;
        this.stale = true;
        const releases = this.wants(this.look);
        changed();
        return () => releases.forEach((release) => release());
      }),
      effect(() => {
        void [fieldRange.value, app.frames.sleeping.value, app.document.bodies.value];
        STRAIN_KINDS.forEach((kind) => void app.document.constraints.table(kind).value);
        this.stale = true;
        changed();
      }),
    );
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.ramp = rampOf(theme);
    this.stale = true;
  }

  resize(width: number, height: number, ratio: number): void {
    this.lines.resize(width, height, ratio);
  }

  update(moved: boolean, frame: Frame | null, now: number): void {
    if (this.look === 'off') {
      this.clear();
      return;
    }
    const news = frame !== this.last || (moved && this.look === 'strain');
    if (!this.stale && (!news || now < this.next)) return;
    const from = performance.now();
    this.stale = false;
    this.last = frame;
    this.write(frame);
    this.next = now + SHARE * (performance.now() - from);
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    clearTimeout(this.timer);
    this.clear();
    this.lines.dispose();
  }

  // The values of the look until the functions are called.
  private wants(look: FieldLook): (() => void)[] {
    const {app} = this.parts;
    if (look === 'speed') return [app.frames.want('velocities')];
    if (look === 'contact') return [app.frames.want('contacts')];
    if (look === 'strain') {
      return [app.frames.want('exact'), ...STRAIN_KINDS.map((kind) => app.document.constraints.want(kind))];
    }
    if (look !== 'stress') return [];
    this.forces = [];
    void this.ask();
    return [() => clearTimeout(this.timer)];
  }

  // Asks for forces once a second while stress is shown.
  private async ask(): Promise<void> {
    const {app} = this.parts;
    const world = app.document.world.peek();
    let wait = 0;
    const there = STRESS_KINDS.filter((kind) =>
      [...app.document.bodies.peek().values()].some(({constraints}) => constraints[kind].count > 0),
    );
    const all: Forces[] = [];
    try {
      for (const kind of world === 0 ? [] : there) {
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
    if (this.look === 'stress') this.timer = setTimeout(() => void this.ask(), STRESS_MS + wait);
  }

  private clear(): void {
    if (!this.tinted) return;
    this.tinted = false;
    this.parts.content.bodies.forEach(({sheet}) => sheet?.tint(null));
    this.lines.begin();
    this.lines.end();
    this.parts.app.viewState.shownField.value = null;
  }

  private write(frame: Frame | null): void {
    this.tinted = true;
    const {viewState} = this.parts.app;
    if (this.look === 'contact' || this.look === 'asleep') {
      this.colour(this.look === 'contact' ? this.contacts(frame) : this.sleepers(), (code) => this.codeColor(code));
      this.tell({look: this.look, unit: '', low: 0, high: 0, colors: []});
      return;
    }
    const {values, unit} = this.look === 'speed' ? speeds(frame) : this.look === 'stress' ? this.stresses() : this.strains();
    const greatest = greatestOf(values);
    const fixed = viewState.fieldRange.peek()[this.look] ?? null;
    this.range = Math.max(greatest, SHRINK * this.range, LEAST[this.look] ?? 1e-6);
    const high = fixed ?? this.range;
    this.colour(values, (value) => this.ramp.at(value / high));
    const ramp = viewState.colors.peek()?.strain ?? [];
    const upper = ramp.slice(Math.floor(ramp.length / 2));
    const one = this.look === 'speed';
    this.tell({look: this.look, unit, low: one ? 0 : -high, high, colors: one ? upper : ramp});
  }

  private tell(shown: ShownField): void {
    const {shownField} = this.parts.app.viewState;
    if (JSON.stringify(shownField.peek()) !== JSON.stringify(shown)) shownField.value = shown;
  }

  private colour(values: Values, colorOf: (value: number) => number): void {
    this.lines.begin();
    let left = LINES_MOST;
    for (const [id, view] of this.parts.content.bodies) {
      const own = values.get(id);
      const at = (particle: number) => colorOf(own?.[particle] ?? 0);
      view.sheet?.tint(at);
      if (view.sheet || view.hidden) continue;
      // A rope has the mean of both ends on each segment, a point a square.
      const pairs = view.edges;
      const count = pairs ? pairs.length / 2 : view.positions.length / 3;
      for (let i = 0; i < count && left > 0; i++, left--) {
        const [a, b] = pairs ? [pairs[2 * i], pairs[2 * i + 1]] : [i, i];
        this.lines.add(pointAt(view.positions, a), pointAt(view.positions, b), unpacked(colorOf(((own?.[a] ?? 0) + (own?.[b] ?? 0)) / 2), this.color));
      }
    }
    this.lines.end();
  }

  // -- values

  private strains(): {values: Values; unit: string} {
    const {app, content} = this.parts;
    const sums = new Map<number, {sum: Float32Array; count: Uint16Array}>();
    for (const kind of STRAIN_KINDS) {
      const table = app.document.constraints.table(kind).peek();
      if (table) this.addStrains(table, sums);
    }
    const values = new Map<number, Float32Array>();
    for (const [id, {sum, count}] of sums) {
      if (content.bodies.has(id)) values.set(id, sum.map((one, i) => (count[i] > 0 ? (100 * one) / count[i] : 0)));
    }
    return {values, unit: '%'};
  }

  private addStrains(table: ConstraintTable, sums: Map<number, {sum: Float32Array; count: Uint16Array}>): void {
    const {kind, stride, ids, bodies, particles, rest, ratio, gradients} = table;
    const points = new Float64Array(3 * stride);
    for (let row = 0; row < ids.length; row++) {
      const id = bodies[stride * row];
      const from = this.parts.content.positionsOf(id);
      if (!from || (stride > 1 && bodies[stride * row + 1] !== id)) continue;
      for (let k = 0; k < stride; k++) {
        const i = 3 * particles[stride * row + k];
        points[3 * k] = from[i];
        points[3 * k + 1] = from[i + 1];
        points[3 * k + 2] = from[i + 2];
      }
      const strain = strainOf(kind, rest[row], points, ratio[row], gradients.subarray(row * GRADIENTS, (row + 1) * GRADIENTS));
      let own = sums.get(id);
      if (!own) {
        own = {sum: new Float32Array(from.length / 3), count: new Uint16Array(from.length / 3)};
        sums.set(id, own);
      }
      for (let k = 0; k < stride; k++) {
        own.sum[particles[stride * row + k]] += strain;
        own.count[particles[stride * row + k]]++;
      }
    }
  }

  private stresses(): {values: Values; unit: string} {
    const {app, content} = this.parts;
    const bodies = app.document.bodies.peek();
    const areas = new Map([...bodies].flatMap(([id, body]) => (body.kind === 'cloth' ? [[id, areasOf(body)] as const] : [])));
    const values = stressOf(this.forces, bodies, areas, content.positionsOf);
    const units = new Set([...values.keys()].flatMap((id) => (bodies.has(id) ? [unitOf(bodies.get(id)!)] : [])));
    return {values, unit: [...units].join(', ')};
  }

  // 1 touches, 2 was slowed down.
  private contacts(frame: Frame | null): Values {
    const values = new Map<number, Uint8Array>();
    for (const {body, touching, held} of frame?.contacts?.bodies ?? []) {
      const own = new Uint8Array((this.parts.content.positionsOf(body)?.length ?? 0) / 3);
      for (let i = 0; i < touching.length; i++) own[touching[i]] = 1;
      for (let i = 0; i < held.length; i++) own[held[i]] = 2;
      values.set(body, own);
    }
    return values;
  }

  // 3 sleeps.
  private sleepers(): Values {
    const sleeping = this.parts.app.frames.sleeping.peek();
    return new Map(
      [...sleeping].map((id) => [id, new Uint8Array((this.parts.content.positionsOf(id)?.length ?? 0) / 3).fill(3)]),
    );
  }

  private codeColor(code: number): number {
    const {contacts, strain, plain} = this.theme;
    const color = code >= 3 ? strain.cold : code > 1 ? contacts.held : code > 0 ? contacts.touching : plain;
    return packed(rgb(color));
  }
}

function speeds(frame: Frame | null): {values: Values; unit: string} {
  const values = new Map<number, Float32Array>();
  for (const {body, first, count, velocities} of frame?.bodies ?? []) {
    if (!velocities) continue;
    const before = values.get(body);
    const own = new Float32Array(Math.max(before?.length ?? 0, first + count));
    if (before) own.set(before);
    for (let i = 0; i < count; i++) {
      own[first + i] = Math.hypot(velocities[3 * i], velocities[3 * i + 1], velocities[3 * i + 2]);
    }
    values.set(body, own);
  }
  return {values, unit: 'm/s'};
}

function greatestOf(values: Values): number {
  let greatest = 0;
  values.forEach((own) => {
    for (let i = 0; i < own.length; i++) greatest = Math.max(greatest, Math.abs(own[i]));
  });
  return greatest;
}

function pointAt(from: Float32Array, particle: number): [number, number, number] {
  return [from[3 * particle], from[3 * particle + 1], from[3 * particle + 2]];
}

const bytes = new Uint8Array(4);
const word = new Uint32Array(bytes.buffer);

function unpacked(color: number, to: Color): Color {
  word[0] = color;
  return to.setRGB(bytes[0] / 255, bytes[1] / 255, bytes[2] / 255);
}

function rampOf({strain}: SceneTheme): Ramp {
  return new Ramp(rgb(strain.cold), rgb(strain.calm), rgb(strain.hot));
}
