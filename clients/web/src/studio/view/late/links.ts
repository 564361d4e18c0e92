// Connections that were added by hand, drawn at all times: joins with the triangles that they hold, ropes through
// their rings, whole rails, and joints with their anchors, axes and limits. A joint that is being made is drawn as well.
import {effect} from '@preact/signals';
import {Color, Group, Vector3} from 'three';
import {measuredOf} from '../../model/measured.js';
import {readJoints, type Joint} from '../../model/joints.js';
import type {Thing} from '../../model/selection.js';
import type {ConstraintTable} from '../../model/table.js';
import {CONSTRAINT_KINDS, slides, type ConstraintKind, type Vec3} from '../../model/values.js';
import type {DraftJoint} from '../../model/viewstate.js';
import {Dots} from '../dots.js';
import type {LateParts} from '../lateparts.js';
import {Lines} from '../lines.js';
import {nearestLine, toPage} from '../pick.js';
import {LineWriter} from '../strain.js';
import {rgb, type SceneTheme} from '../theme.js';
import {WideLines} from '../widelines.js';
import {across, at, Shapes, turnedBy} from './shapes.js';

// A rail of more segments is drawn with its ring's own segment alone.
const RAIL_MOST = 4000;
// A join's triangles are drawn up to so many of them.
const FACES_MOST = 2000;
// Sizes of joints are parts of the distance of the camera.
const AXIS = 0.06;
const ARC = 0.045;
const LINE_REACH = 7;

interface Shown {
  readonly table: ConstraintTable;
  readonly writer: LineWriter;
  readonly lines: Lines;
}

export class Links {
  readonly object = new Group();
  private readonly shown = new Map<ConstraintKind, Shown>();
  private readonly wide = new WideLines(2, false, 5);
  private readonly rings = new Dots(10, false);
  private readonly anchors = new Dots(8, false);
  private readonly shapes = new Shapes(this.wide);
  private readonly offs: (() => void)[] = [];
  private joints: readonly Joint[] = [];
  private asked = 0;
  private theme: SceneTheme;
  private stale = true;
  private distance = 0;

  constructor(private readonly parts: LateParts) {
    this.theme = parts.theme;
    this.object.add(this.wide.mesh, this.rings.points, this.anchors.points);
    this.paint(parts.theme);
    this.follow();
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.rings.paint(theme.kinds.slide, new Color(1, 1, 1));
    this.anchors.paint(theme.kinds.joint, new Color(1, 1, 1));
    this.shown.forEach(({writer}, kind) => writer.paint(rgb(theme.kinds[kind])));
    this.stale = true;
  }

  resize(width: number, height: number, ratio: number): void {
    this.wide.resize(width, height, ratio);
    this.rings.pixelRatio = ratio;
    this.anchors.pixelRatio = ratio;
  }

  update(moved: boolean): void {
    const {distance} = this.parts.rig;
    // Joints keep their size on the page.
    const nearer = Math.abs(distance - this.distance) > 0.02 * distance && this.joints.length > 0;
    if (!moved && !this.stale && !nearer) return;
    this.stale = false;
    this.distance = distance;
    const {overlays, draftJoint} = this.parts.app.viewState;
    const on = overlays.links.peek();
    // The overlay of constraints draws the same lines, in colours of its own.
    const doubled = !['off', 'bend'].includes(overlays.constraints.peek());
    this.shown.forEach(({writer, lines}, kind) => {
      const own = on && kind !== 'joint' && !(doubled && overlays.kinds.peek().has(kind));
      if (own) writer.write(this.parts.content.shownOf, null);
      lines.show(own ? writer.lineCount : 0, own);
    });
    this.wide.begin();
    const dots: Vec3[] = [];
    const rings: Vec3[] = [];
    if (on) {
      this.writeRails(rings);
      this.writeFaces();
      this.joints.forEach((joint) => this.writeJoint(joint, dots));
    }
    const draft = draftJoint.peek();
    if (draft) this.writeDraft(draft, dots);
    this.wide.end();
    write(this.rings, rings);
    write(this.anchors, dots);
  }

  thingAt(x: number, y: number): Thing | null {
    const {app, content} = this.parts;
    if (!app.viewState.overlays.links.peek() || app.viewState.tool.peek() === 'grab') return null;
    const spot = {x: 0, y: 0, depth: 0};
    for (const joint of this.joints) {
      const [anchor] = this.placesOf(joint);
      if (!anchor) continue;
      toPage(content.screen, anchor[0], anchor[1], anchor[2], spot);
      if (spot.depth > 0 && Math.hypot(spot.x - x, spot.y - y) < 1.5 * LINE_REACH) {
        return {kind: 'constraint', constraint: joint.constraint, type: 'joint'};
      }
    }
    if (app.viewState.target.peek() !== 'constraint') return null;
    for (const [kind, {table, writer}] of this.shown) {
      const line = kind === 'joint' ? -1 : nearestLine(content.screen, writer.positions, x, y, LINE_REACH);
      if (line >= 0) {
        const row = Math.floor(line / measuredOf(kind).lines.length);
        return {kind: 'constraint', constraint: table.ids[row], type: kind};
      }
    }
    return null;
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    this.shown.forEach(({lines}) => lines.dispose());
    this.wide.dispose();
    this.rings.dispose();
    this.anchors.dispose();
  }

  // -- following the model

  private follow(): void {
    const {app, changed} = this.parts;
    const stale = () => {
      this.stale = true;
      changed();
    };
    for (const kind of CONSTRAINT_KINDS) {
      this.offs.push(
        effect(() => {
          this.take(kind, app.document.constraints.loose(kind).value);
          stale();
        }),
      );
    }
    this.offs.push(
      effect(() => {
        const {overlays, draftJoint} = app.viewState;
        void [overlays.links.value, overlays.constraints.value, overlays.kinds.value, draftJoint.value];
        void [app.selection.selected.value, app.document.bodies.value];
        stale();
      }),
      effect(() => {
        const joints = app.document.constraints.loose('joint').value;
        void this.readJoints(app.document.world.value, joints?.ids.length ?? 0).then(stale);
      }),
    );
  }

  private take(kind: ConstraintKind, table: ConstraintTable | null): void {
    const before = this.shown.get(kind);
    if (before) {
      this.object.remove(before.lines.object);
      before.lines.dispose();
      this.shown.delete(kind);
    }
    if (!table || table.ids.length === 0) return;
    const writer = new LineWriter(table);
    writer.paint(rgb(this.theme.kinds[kind]));
    const lines = new Lines(0.9, false);
    lines.take(writer.positions, writer.colors);
    this.object.add(lines.object);
    this.shown.set(kind, {table, writer, lines});
  }

  private async readJoints(world: number, count: number): Promise<void> {
    const asked = ++this.asked;
    try {
      const joints = world !== 0 && count > 0 ? await readJoints(this.parts.app.client, world) : [];
      if (asked === this.asked) this.joints = joints;
    } catch {
      // The connection is lost, and the world is read again when it is back.
    }
  }

  // -- writing

  private point(body: number, particle: number): Vec3 | null {
    const from = this.parts.content.shownOf(body);
    const i = 3 * particle;
    return from && i + 2 < from.length ? [from[i], from[i + 1], from[i + 2]] : null;
  }

  private color(kind: ConstraintKind, id: number): Color {
    return this.parts.app.selection.selected.peek().constraints.has(id) ? this.theme.accent : this.theme.kinds[kind];
  }

  private writeRails(rings: Vec3[]): void {
    for (const [kind, {table}] of this.shown) {
      const through = slides(kind) ? 1 : 0;
      const rail = kind === 'slide_rail';
      if (!rail && !slides(kind)) continue;
      const drawn = new Set<string>();
      for (let row = 0; row < table.ids.length; row++) {
        const [a, b, c] = [0, 1, 2].map((k) => 3 * row + k);
        const ring = this.point(table.bodies[a + through], table.particles[a + through]);
        if (ring) rings.push(ring);
        if (ring && !rail) {
          for (const k of [a, c]) {
            const end = this.point(table.bodies[k], table.particles[k]);
            if (end) this.wide.add(ring, end, this.color(kind, table.ids[row]));
          }
        }
        const [first, last, body] = [table.particles[b], table.particles[c], table.bodies[b]];
        const key = `${body} ${first} ${last}`;
        if (!rail || drawn.has(key) || last - first > RAIL_MOST) continue;
        drawn.add(key);
        const color = this.color(kind, table.ids[row]);
        for (let i = first; i < last; i++) {
          const [from, to] = [this.point(body, i), this.point(body, i + 1)];
          if (from && to) this.wide.add(from, to, color);
        }
      }
    }
  }

  // The edges and triangles that joins hold: particles of a side that carry weight.
  private writeFaces(): void {
    const join = this.shown.get('join');
    if (!join) return;
    const {table} = join;
    for (let row = 0, left = FACES_MOST; row < table.ids.length && left > 0; row++) {
      for (const side of [0, 3]) {
        const points = [0, 1, 2].flatMap((k) => {
          const i = 6 * row + side + k;
          const point = (table.weights[i] ?? 0) > 0 || k === 0 ? this.point(table.bodies[i], table.particles[i]) : null;
          return point ? [point] : [];
        });
        if (points.length < 2) continue;
        left--;
        points.forEach((from, k) => {
          const to = points[(k + 1) % points.length];
          if (to && (points.length > 2 || k === 0)) this.wide.add(from, to, this.color('join', table.ids[row]));
        });
      }
    }
  }

  private turnsOf(body: number): Float32Array | null {
    return this.parts.content.bodies.get(body)?.turns ?? null;
  }

  // A vector in the frame of a side: a piece's, or the world's.
  private turned(body: number | undefined, particle: number | undefined, way: Vec3): Vec3 {
    const turns = body === undefined ? null : this.turnsOf(body);
    return turns && particle !== undefined ? turnedBy(turns, 4 * particle, way) : way;
  }

  // The anchors of both sides, where they are now.
  private placesOf(joint: Joint): readonly [Vec3 | null, Vec3 | null] {
    const {bodies, particles, weights, anchors} = joint;
    const place = (side: 0 | 1): Vec3 | null => {
      const piece = this.point(bodies[side], particles[side]);
      const arm = this.turned(bodies[side], particles[side], anchors[side]);
      return piece && [piece[0] + arm[0], piece[1] + arm[1], piece[2] + arm[2]];
    };
    if (bodies.length === 1) return [place(0), anchors[1]];
    if (bodies.length === 2) return [place(0), place(1)];
    const sum: [number, number, number] = [0, 0, 0];
    for (let k = 1; k < bodies.length; k++) {
      const point = this.point(bodies[k], particles[k]);
      if (!point) return [place(0), null];
      point.forEach((x, axis) => (sum[axis] += weights[k - 1] * x));
    }
    // The picture has no orientations of segments, so an anchor beside its segment is shown where the piece's is.
    return [place(0), joint.segment && anchors[1].some((x) => x !== 0) ? place(0) : sum];
  }

  private writeJoint(joint: Joint, dots: Vec3[]): void {
    const [own, other] = this.placesOf(joint);
    const {bodies, particles, frames, type, limits} = joint;
    const piece = this.point(bodies[0], particles[0]);
    if (!own || !other || !piece) return;
    const color = joint.parted ? this.theme.contacts.crossed : this.color('joint', joint.constraint);
    dots.push(own, other);
    this.wide.add(piece, own, color);
    this.wide.add(own, other, color);
    const frame = (side: 0 | 1, way: Vec3) =>
      this.turned(bodies[side], particles[side], turnedBy(frames[side], 0, way));
    const second = bodies.length <= 2 ? 1 : 0; // a triangle has no frame, and that of a segment is not shown
    this.draw(type, other, frame(second, [0, 0, 1]), limits, color, {
      zero: frame(second, [1, 0, 0]),
      now: frame(0, [1, 0, 0]),
    });
  }

  private writeDraft({type, anchor, axis, limits}: DraftJoint, dots: Vec3[]): void {
    dots.push(anchor);
    this.draw(type, anchor, axis, limits ?? [1, -1], this.theme.accent, null);
  }

  private draw(
    type: DraftJoint['type'],
    middle: Vec3,
    axis: Vec3,
    [least, most]: readonly [number, number],
    color: Color,
    turn: {readonly zero: Vec3; readonly now: Vec3} | null,
  ): void {
    const {u, v, n} = across(axis);
    if (turn) {
      u.set(...(turn.zero as [number, number, number]));
      v.copy(n).cross(u);
    }
    const [long, round] = [AXIS * this.distance, ARC * this.distance];
    const limited = least <= most;
    if (type === 'hinge') {
      this.shapes.line(at(middle, [n, -long]), at(middle, [n, long]), color);
      const [from, end] = limited ? [least, most] : [0, 2 * Math.PI];
      this.shapes.arc(middle, u, v, round, from, end, color);
      if (limited) [from, end].forEach((angle) => this.spoke(middle, u, v, round, angle, color));
      if (turn) this.shapes.arrow(middle, at(middle, [new Vector3(...turn.now), 1.25 * round]), color, 0.2);
    } else if (type === 'slider') {
      const [from, end] = limited ? [least, most] : [-2 * long, 2 * long];
      this.shapes.arrow(at(middle, [n, from]), at(middle, [n, end]), color, 0.12);
      [from, end].forEach((place) => this.shapes.circle(at(middle, [n, place]), axis, 0.3 * round, color));
    } else if (type === 'ball' && limited) {
      this.shapes.line(middle, at(middle, [n, long]), color);
      const [up, out] = [long * Math.cos(most), long * Math.sin(most)];
      this.shapes.circle(at(middle, [n, up]), axis, out, color);
      for (let k = 0; k < 4; k++) {
        const angle = (k * Math.PI) / 2;
        const rim = at(middle, [n, up], [u, out * Math.cos(angle)], [v, out * Math.sin(angle)]);
        this.shapes.line(middle, rim, color);
      }
    } else if (type === 'fixed') {
      this.shapes.box(middle, [0.3 * round, 0.3 * round, 0.3 * round], color);
    }
  }

  private spoke(middle: Vec3, u: Vector3, v: Vector3, size: number, angle: number, color: Color): void {
    this.shapes.line(middle, at(middle, [u, size * Math.cos(angle)], [v, size * Math.sin(angle)]), color);
  }
}

function write(dots: Dots, places: readonly Vec3[]): void {
  dots.write(places.length, (to) => {
    places.forEach((place, i) => to.set(place, 3 * i));
    return places.length;
  });
}
