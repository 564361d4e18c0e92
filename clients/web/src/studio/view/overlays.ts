// What is drawn over the bodies when it is asked for: wireframe, constraints by kind or strain, pins, velocities,
// pulls with their force, what is selected.
//
// Overlays stand on the positions as they are drawn, so they are written again whenever those change, and whenever
// what they show does. Constraints are asked of the model only while they are shown.
import {Color, Group} from 'three';
import {effect} from '@preact/signals';
import type {Frame} from '../../lib/index.js';
import type {App} from '../model/app.js';
import {bendShares} from '../model/convergence.js';
import {limitsOf} from '../model/limits.js';
import {EDGE_KINDS} from '../model/measured.js';
import {forceText} from '../model/quantities.js';
import {isObstacle} from '../model/obstacle.js';
import {byKind, CONSTRAINT_KINDS, type ConstraintKind, type Body, type Grab, type Vec3} from '../model/values.js';
import type {ConstraintTable} from '../model/table.js';
import type {ConstraintColors, ConstraintLook} from '../model/viewstate.js';
import {ContactMarks} from './contacts.js';
import type {Content} from './content.js';
import {Dots} from './dots.js';
import {Labels, type Label} from './labels.js';
import {Lines} from './lines.js';
import {toPage} from './pick.js';
import {LineWriter, packed, Ramp} from './strain.js';
import {rgb, type SceneTheme} from './theme.js';
import {Tint} from './tint.js';
import {WideLines} from './widelines.js';

const VELOCITY_LINES = 6000;
// A line is as long as what its particle goes in this time.
const VELOCITY_S = 0.08;
const LABELS_AT_MOST = 8;
// A hem with more lines is not drawn: it shines all the same.
const HEM_AT_MOST = 4000;
// Nor is it looked for on a larger surface.
const HEM_TRIANGLES = 300_000;

const isStrain = (look: ConstraintLook) => look === 'strain' || look === 'excess';

export class Overlays {
  readonly object = new Group();
  private readonly pins = new Dots(6);
  private readonly led = new Dots(6);
  private readonly chosen = new Dots(9);
  private readonly hovered = new Dots(11);
  private readonly ends = new Dots(10, false);
  private readonly wide = new WideLines(2.5, false);
  private readonly hems = new WideLines(2, true);
  private readonly velocities = new Lines(0.9);
  private readonly contacts = new ContactMarks();
  private readonly constraints: Readonly<Record<ConstraintKind, Lines>>;
  private readonly writers = new Map<ConstraintKind, LineWriter>();
  private readonly painted = new Map<ConstraintKind, string>();
  private readonly labels: Labels;
  private readonly offs: (() => void)[] = [];
  private velocityArrays = {positions: new Float32Array(0), colors: new Uint32Array(0)};
  // By kind: the limits, and the table and bodies that they were made from.
  private readonly limits = new Map<
    ConstraintKind,
    {readonly table: ConstraintTable; readonly bodies: unknown; readonly limits: Float32Array}
  >();
  private readonly tint = new Tint();
  private tinted = false;
  private theme: SceneTheme;
  private ramp: Ramp;
  private stale = true;
  private held: {readonly grab: number; readonly target: Vec3} | null = null;

  constructor(
    private readonly app: App,
    private readonly content: Content,
    stage: HTMLElement,
    theme: SceneTheme,
    private readonly changed: () => void,
  ) {
    this.theme = theme;
    this.ramp = rampOf(theme);
    this.labels = new Labels(stage);
    this.constraints = byKind(() => new Lines(0.85));
    this.object.add(
      this.pins.points,
      this.led.points,
      this.chosen.points,
      this.hovered.points,
      this.ends.points,
      this.wide.mesh,
      this.hems.mesh,
      this.velocities.object,
      this.contacts.object,
    );
    CONSTRAINT_KINDS.forEach((kind) => this.object.add(this.constraints[kind].object));
    this.paint(theme);
    this.follow();
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.ramp = rampOf(theme);
    const paper = new Color(1, 1, 1);
    this.pins.paint(theme.pin, paper);
    this.led.paint(theme.led, paper);
    this.chosen.paint(theme.accent, paper);
    this.hovered.paint(paper, theme.accent);
    this.ends.paint(theme.grab, paper);
    this.contacts.paint(theme);
    this.painted.clear();
    this.app.viewState.colors.value = colorsOf(theme);
    this.invalidate();
  }

  resize(width: number, height: number, ratio: number): void {
    [this.pins, this.led, this.chosen, this.hovered, this.ends].forEach((dots) => {
      dots.pixelRatio = ratio;
    });
    this.wide.resize(width, height, ratio);
    this.hems.resize(width, height, ratio);
    this.contacts.resize(width, height, ratio);
  }

  invalidate(): void {
    this.stale = true;
    this.changed();
  }

  // The grab of this page, where the hand is: ahead of what the server knows.
  hold(held: {readonly grab: number; readonly target: Vec3} | null): void {
    this.held = held;
    this.invalidate();
  }

  // Before a drawing. `moved`: positions were written.
  update(moved: boolean, frame: Frame | null): void {
    if (!moved && !this.stale) {
      return;
    }
    this.stale = false;
    this.writePins();
    this.writeChosen();
    this.writeConstraints();
    this.writeVelocities(frame);
    this.writeContacts(frame);
    this.writeWide();
  }

  // Labels go with the camera too.
  place(): void {
    this.labels.show(this.app.viewState.overlays.grabs.peek() ? this.grabLabels() : []);
  }

  // The constraint line nearest to a point of the page.
  lineWriter(kind: ConstraintKind): LineWriter | null {
    return this.writers.get(kind) ?? null;
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    [this.pins, this.led, this.chosen, this.hovered, this.ends].forEach((dots) => dots.dispose());
    CONSTRAINT_KINDS.forEach((kind) => this.constraints[kind].dispose());
    this.wide.dispose();
    this.hems.dispose();
    this.velocities.dispose();
    this.contacts.dispose();
    this.labels.dispose();
  }

  // -- following the model

  private follow(): void {
    const {app} = this;
    const {overlays, target, tool} = app.viewState;
    this.offs.push(
      effect(() => {
        void [overlays.pins.value, overlays.grabs.value, app.document.bodies.value, app.document.grabs.value];
        void [app.selection.selected.value, app.selection.hovered.value];
        this.invalidate();
      }),
      effect(() => {
        const on = overlays.velocities.value;
        const release = on ? app.frames.want('velocities') : null;
        this.invalidate();
        return () => release?.();
      }),
    );
    this.offs.push(
      effect(() => (overlays.constraints.value === 'bend' ? app.convergence.watch() : undefined)),
      effect(() => {
        void app.convergence.bodies.value;
        if (overlays.constraints.peek() === 'bend') this.invalidate();
      }),
      // A strain is a small difference of lengths.
      effect(() => (isStrain(overlays.constraints.value) ? app.frames.want('exact') : undefined)),
      effect(() => {
        const release = overlays.contacts.value ? app.frames.want('contacts') : null;
        this.invalidate();
        return () => release?.();
      }),
    );
    for (const kind of CONSTRAINT_KINDS) {
      this.offs.push(
        effect(() => {
          // Whoever wants to pick constraints has to see them.
          const picking = target.value === 'constraint' && tool.value !== 'grab';
          const shown = (!['off', 'bend'].includes(overlays.constraints.value) || picking) && overlays.kinds.value.has(kind);
          return shown ? app.document.constraints.want(kind) : undefined;
        }),
        effect(() => {
          const table = app.document.constraints.table(kind).value;
          this.writers.delete(kind);
          this.painted.delete(kind);
          if (table && table.ids.length > 0) {
            const writer = new LineWriter(table);
            this.writers.set(kind, writer);
            this.constraints[kind].take(writer.positions, writer.colors);
          }
          this.invalidate();
        }),
        effect(() => {
          void [overlays.constraints.value, overlays.strained.value];
          this.invalidate();
        }),
      );
    }
  }

  // -- writing

  private writePins(): void {
    const bodies = this.app.viewState.overlays.pins.peek()
      ? [...this.app.document.bodies.peek().values()].filter(({body}) => !this.content.bodies.get(body)?.hidden)
      : [];
    const moving = bodies.filter((body) => !isObstacle(body));
    this.writeSome(this.pins, moving, (body) =>
      body.followed.some((id) => id > 0) ? body.pins.filter((_, at) => !body.followed[at]) : body.pins,
    );
    this.writeSome(this.led, bodies, (body) => body.pins.filter((_, at) => body.followed[at] > 0));
  }

  private writeSome(dots: Dots, bodies: readonly Body[], some: (body: Body) => Uint32Array): void {
    const lists = bodies.map((body) => ({body: body.body, list: some(body)}));
    const count = lists.reduce((sum, {list}) => sum + list.length, 0);
    dots.write(count, (to) => {
      let at = 0;
      for (const {body, list} of lists) {
        at = this.copy(body, list, to, at);
      }
      return at / 3;
    });
  }

  private writeChosen(): void {
    const {particles} = this.app.selection.selected.peek();
    const count = [...particles.values()].reduce((sum, list) => sum + list.length, 0);
    this.chosen.write(count, (to) => {
      let at = 0;
      for (const [body, list] of particles) {
        at = this.copy(body, list, to, at);
      }
      return at / 3;
    });
    const thing = this.app.selection.hovered.peek();
    const over = thing?.kind === 'particle' ? thing : null;
    this.hovered.write(over ? 1 : 0, (to) => this.copy(over!.body, [over!.particle], to, 0) / 3);
  }

  private copy(body: number, particles: ArrayLike<number>, to: Float32Array, at: number): number {
    const positions = this.content.positionsOf(body);
    for (let i = 0; positions && i < particles.length; i++) {
      const from = 3 * particles[i];
      if (from + 2 < positions.length) {
        to[at] = positions[from];
        to[at + 1] = positions[from + 1];
        to[at + 2] = positions[from + 2];
        at += 3;
      }
    }
    return at;
  }

  private writeConstraints(): void {
    const mode = this.app.viewState.overlays.constraints.peek();
    for (const kind of CONSTRAINT_KINDS) {
      const writer = this.writers.get(kind);
      const lines = this.constraints[kind];
      if (!writer) {
        lines.show(0, false);
        continue;
      }
      const strain = isStrain(mode);
      const paint = !strain && this.painted.get(kind) !== 'kind';
      if (paint) {
        writer.paint(rgb(this.theme.kinds[kind]));
      }
      this.painted.set(kind, strain ? 'strain' : 'kind');
      // On filled triangles the lines of the same strain would say it twice. Only edges have limits.
      const edges = EDGE_KINDS.includes(kind);
      if (strain && edges ? this.app.viewState.overlays.strained.peek() : mode === 'excess') {
        lines.show(0, false);
        continue;
      }
      writer.write(this.content.shownOf, strain ? this.ramp : null, this.limitsOf(kind));
      lines.show(writer.lineCount, strain || paint);
    }
    this.writeTint(isStrain(mode) && this.app.viewState.overlays.strained.peek());
  }

  // The limits of a kind of edge; null where colours are not those of what is beyond them.
  private limitsOf(kind: ConstraintKind): Float32Array | null {
    const table = this.app.document.constraints.table(kind).peek();
    const bodies = this.app.document.bodies.peek();
    if (!table || this.app.viewState.overlays.constraints.peek() !== 'excess' || !EDGE_KINDS.includes(kind)) {
      return null;
    }
    const known = this.limits.get(kind);
    if (known?.table === table && known.bodies === bodies) {
      return known.limits;
    }
    const limits = limitsOf(table, (body) => bodies.get(body)?.stretch.limit ?? 0);
    this.limits.set(kind, {table, bodies, limits});
    return limits;
  }

  private writeTint(on: boolean): void {
    const {constraints} = this.app.document;
    if (this.app.viewState.overlays.constraints.peek() === 'bend') {
      this.tint.writeBodies(bendShares(this.app.convergence.bodies.peek()), this.content.bodies, this.ramp);
      this.tinted = true;
      return;
    }
    const tables = on ? EDGE_KINDS.flatMap((kind) => constraints.table(kind).peek() ?? []) : [];
    if (tables.length > 0 || this.tinted) {
      this.tint.write(tables, this.content.bodies, this.ramp, ({kind}) => this.limitsOf(kind));
      this.tinted = tables.length > 0;
    }
  }

  private writeVelocities(frame: Frame | null): void {
    if (!this.app.viewState.overlays.velocities.peek() || !frame) {
      this.velocities.show(0, false);
      return;
    }
    const total = frame.bodies.reduce((sum, chunk) => sum + (chunk.velocities ? chunk.count : 0), 0);
    const every = Math.max(1, Math.ceil(total / VELOCITY_LINES));
    const lines = Math.ceil(total / every + frame.bodies.length);
    if (this.velocityArrays.colors.length < 2 * lines) {
      this.velocityArrays = {positions: new Float32Array(6 * lines), colors: new Uint32Array(2 * lines)};
      this.velocities.take(this.velocityArrays.positions, this.velocityArrays.colors);
    }
    const {positions: to, colors} = this.velocityArrays;
    colors.fill(packed(rgb(this.theme.velocity)));
    let at = 0;
    for (const chunk of frame.bodies) {
      const from = this.content.shownOf(chunk.body);
      const {velocities, first} = chunk;
      for (let i = 0; from && velocities && i < chunk.count; i += every) {
        for (let axis = 0; axis < 3; axis++) {
          const x = from[3 * (first + i) + axis];
          to[at + axis] = x;
          to[at + 3 + axis] = x + VELOCITY_S * velocities[3 * i + axis];
        }
        at += 6;
      }
    }
    this.velocities.show(at / 6, true);
  }

  private writeContacts(frame: Frame | null): void {
    const {viewState} = this.app;
    const on = viewState.overlays.contacts.peek();
    const shown = this.contacts.write((on && frame?.contacts) || null, this.content.shownOf);
    const before = viewState.contacts.peek();
    if (!on || JSON.stringify(shown) !== JSON.stringify(before)) {
      viewState.contacts.value = on ? shown : null;
    }
  }

  // Pulls, selected constraints, the hems of selected cloths.
  private writeWide(): void {
    const grabs = this.grabs();
    this.wide.begin();
    this.hems.begin();
    this.ends.write(2 * grabs.length, (to) => {
      let at = 0;
      for (const grab of grabs) {
        const from = this.particle(grab.body, grab.particle);
        if (from) {
          const target = this.targetOf(grab);
          this.wide.add(from, target, this.isOwn(grab) ? this.theme.grab : this.theme.others);
          to.set(from, at);
          to.set(target, at + 3);
          at += 6;
        }
      }
      return at / 3;
    });
    for (const id of this.app.selection.selected.peek().constraints.keys()) {
      const constraint = this.app.document.constraints.find(id);
      const points =
        constraint?.particles.map((particle, i) => this.particle(constraint.bodies[i], particle)) ?? [];
      for (let i = 1; i < points.length; i++) {
        const [a, b] = [points[i - 1], points[i]];
        if (a && b) {
          this.wide.add(a, b, this.theme.accent);
        }
      }
    }
    for (const id of this.app.selection.selected.peek().bodies) {
      const body = this.content.bodies.get(id);
      const fits = body && body.triangleCount <= HEM_TRIANGLES && body.hem.length <= 2 * HEM_AT_MOST;
      const hem = fits ? body.hem : [];
      for (let i = 0; i < hem.length; i += 2) {
        const [a, b] = [this.particle(id, hem[i]), this.particle(id, hem[i + 1])];
        if (a && b) {
          this.hems.add(a, b, this.theme.accent);
        }
      }
    }
    this.wide.end();
    this.hems.end();
  }

  private grabs(): readonly Grab[] {
    return this.app.viewState.overlays.grabs.peek() ? [...this.app.document.grabs.peek().values()] : [];
  }

  private isOwn(grab: Grab): boolean {
    return grab.session === this.app.session.id.peek();
  }

  private targetOf(grab: Grab): Vec3 {
    return this.held?.grab === grab.grab ? this.held.target : grab.target;
  }

  private particle(body: number, particle: number): Vec3 | null {
    const positions = this.content.positionsOf(body);
    const i = 3 * particle;
    return positions && i + 2 < positions.length ? [positions[i], positions[i + 1], positions[i + 2]] : null;
  }

  private grabLabels(): Label[] {
    const labels: Label[] = [];
    const {screen} = this.content;
    const at = {x: 0, y: 0, depth: 0};
    for (const grab of this.grabs().slice(0, LABELS_AT_MOST)) {
      const from = this.particle(grab.body, grab.particle);
      if (!from) {
        continue;
      }
      const target = this.targetOf(grab);
      toPage(screen, (from[0] + target[0]) / 2, (from[1] + target[1]) / 2, (from[2] + target[2]) / 2, at);
      if (at.depth > 0) {
        const force = forceText(Math.hypot(...grab.force));
        const own = this.isOwn(grab);
        labels.push({
          x: at.x,
          y: at.y,
          tone: own ? 'own' : 'other',
          text: own ? force : `${grab.user || 'somebody'} · ${force}`,
        });
      }
    }
    return labels;
  }
}

// For a legend beside the picture. The ramp goes with the root of the strain.
function colorsOf({kinds, contacts, strain: {cold, calm, hot}}: SceneTheme): ConstraintColors {
  const hex = (color: Color) => `#${color.getHexString()}`;
  const strain = Array.from({length: 17}, (_, i) => {
    const share = i / 8 - 1;
    return hex(calm.clone().lerp(share < 0 ? cold : hot, Math.sqrt(Math.abs(share))));
  });
  const of = (kind: ConstraintKind) => [kind, hex(kinds[kind])] as const;
  return {
    kinds: Object.fromEntries(CONSTRAINT_KINDS.map(of)) as ConstraintColors['kinds'],
    strain,
    contacts: {touching: hex(contacts.touching), held: hex(contacts.held), crossed: hex(contacts.crossed)},
  };
}

function rampOf({strain}: SceneTheme): Ramp {
  return new Ramp(rgb(strain.cold), rgb(strain.calm), rgb(strain.hot));
}
