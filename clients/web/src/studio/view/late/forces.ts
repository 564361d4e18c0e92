// Fields of force: where each begins to act, which way it acts, and a knob in the middle that can be clicked. Air is in
// the colour of the wind, and what is selected in that of selections.
import {effect} from '@preact/signals';
import {Color, Group, Vector3} from 'three';
import {hasEnd, type ForceField} from '../../model/forcefields.js';
import type {Thing} from '../../model/selection.js';
import type {Vec3} from '../../model/values.js';
import {Dots} from '../dots.js';
import type {LateParts} from '../lateparts.js';
import {toPage} from '../pick.js';
import type {SceneTheme} from '../theme.js';
import {WideLines} from '../widelines.js';
import {across, at, Shapes} from './shapes.js';

// m: the size of the arrows of a field that has no end.
const ENDLESS = 0.6;
const SPOKES = 6;
// A jet widens by so much of its way, as in the server.
const SPREAD = 0.094;

export class ForceMarks {
  readonly object = new Group();
  private readonly lines = new WideLines(1.6, true, 4);
  private readonly knobs = new Dots(12, false);
  private readonly shapes = new Shapes(this.lines);
  private readonly offs: (() => void)[];
  private theme: SceneTheme;
  private stale = true;
  private shown: readonly ForceField[] = [];

  constructor(private readonly parts: LateParts) {
    this.theme = parts.theme;
    this.object.add(this.lines.mesh, this.knobs.points);
    this.paint(parts.theme);
    const {app} = parts;
    this.offs = [
      effect(() => {
        const held = app.viewState.heldForce.value;
        const all = app.viewState.overlays.forces.value ? [...app.document.forces.value.values()] : [];
        this.shown = all.map((field) => (field.force === held?.force ? held : field));
        void app.selection.selected.value;
        this.stale = true;
        parts.changed();
      }),
    ];
  }

  paint(theme: SceneTheme): void {
    this.theme = theme;
    this.knobs.paint(theme.wind, new Color(1, 1, 1));
    this.stale = true;
  }

  resize(width: number, height: number, ratio: number): void {
    this.lines.resize(width, height, ratio);
    this.knobs.pixelRatio = ratio;
  }

  update(): void {
    if (!this.stale) return;
    this.stale = false;
    const {forces} = this.parts.app.selection.selected.peek();
    this.lines.begin();
    for (const field of this.shown) {
      this.draw(field, forces.has(field.force) ? this.theme.accent : colorOf(this.theme, field));
    }
    this.lines.end();
    this.knobs.write(this.shown.length, (to) => {
      this.shown.forEach(({position}, i) => to.set(position, 3 * i));
      return this.shown.length;
    });
  }

  thingAt(x: number, y: number, reach: number): Thing | null {
    const spot = {x: 0, y: 0, depth: 0};
    for (const {force, position} of this.shown) {
      toPage(this.parts.content.screen, position[0], position[1], position[2], spot);
      if (spot.depth > 0 && Math.hypot(spot.x - x, spot.y - y) < reach) return {kind: 'force', force};
    }
    return null;
  }

  dispose(): void {
    this.offs.forEach((off) => off());
    this.lines.dispose();
    this.knobs.dispose();
  }

  private draw(field: ForceField, color: Color): void {
    const {shapes} = this;
    const {position, radius, half_extents: half, kind} = field;
    const faint = color.clone().lerp(this.theme.skyHorizon, 0.55);
    if (radius > 0) shapes.sphere(position, radius, kind === 'fan' ? faint : color);
    if (half.some((edge) => edge > 0)) shapes.box(position, half, color);
    const size = hasEnd(field) ? 0.6 * (radius > 0 ? radius : Math.max(...half)) : ENDLESS;
    switch (kind) {
      case 'point':
        this.spokes(position, size, field.strength < 0, color);
        break;
      case 'vortex':
        this.whirl(field, size, color);
        break;
      case 'fan':
        this.jet(field, color);
        break;
      default:
        this.stream(field, size, color, faint);
    }
  }

  private spokes(middle: Vec3, size: number, outwards: boolean, color: Color): void {
    for (let i = 0; i < SPOKES; i++) {
      const way = new Vector3(i === 0 ? 1 : i === 1 ? -1 : 0, i === 2 ? 1 : i === 3 ? -1 : 0, i === 4 ? 1 : i === 5 ? -1 : 0);
      const [far, near] = [at(middle, [way, size]), at(middle, [way, 0.45 * size])];
      this.shapes.arrow(outwards ? near : far, outwards ? far : near, color);
    }
  }

  private whirl({position, axis, strength}: ForceField, size: number, color: Color): void {
    const {u, v, n} = across(axis);
    const turn = strength < 0 ? -1 : 1;
    this.shapes.line(at(position, [n, -size]), at(position, [n, size]), color);
    for (let i = 0; i < 3; i++) {
      const from = (i * 2 * Math.PI) / 3;
      const end = from + turn * 1.5;
      this.shapes.arc(position, u, v, 0.8 * size, from, end, color);
      const tip = at(position, [u, 0.8 * size * Math.cos(end)], [v, 0.8 * size * Math.sin(end)]);
      const along = u.clone().multiplyScalar(-turn * Math.sin(end)).addScaledVector(v, turn * Math.cos(end));
      this.shapes.arrow(at(tip, [along, -0.02 * size]), at(tip, [along, 0.16 * size]), color, 0.9);
    }
  }

  // A disc with the jet before it: its edge is where the air has half of its speed.
  private jet({position, axis, width, radius, strength}: ForceField, color: Color): void {
    const {u, v, n} = across(axis);
    this.shapes.circle(position, axis, width / 2, color);
    const reach = Math.min(radius > 0 ? radius : Infinity, 8 * width);
    const wide = Math.max(width / 2, SPREAD * reach);
    for (const side of [u, v]) {
      for (const sign of [-1, 1]) {
        const from = at(position, [side, (sign * width) / 2]);
        const knee = Math.min(reach, width / 2 / SPREAD);
        const kneeAt = at(position, [n, knee], [side, (sign * width) / 2]);
        this.shapes.line(from, kneeAt, color);
        if (knee < reach) this.shapes.line(kneeAt, at(position, [n, reach], [side, sign * wide]), color);
      }
    }
    this.shapes.circle(at(position, [n, reach]), axis, wide, color);
    const long = Math.min(reach, 0.12 * strength + 0.1);
    this.shapes.arrow(position, at(position, [n, long]), color);
  }

  // Air or a medium that moves: parallel arrows. A medium that stands has dots alone.
  private stream({position, velocity}: ForceField, size: number, color: Color, faint: Color): void {
    const speed = Math.hypot(...velocity);
    if (speed === 0) {
      this.shapes.sphere(position, 0.15 * size, faint);
      return;
    }
    const {u, v, n} = across(velocity);
    const long = Math.min(1.6 * size, 0.1 * speed + 0.1);
    for (const [a, b] of [[0, 0], [0.5, 0.5], [0.5, -0.5], [-0.5, 0.5], [-0.5, -0.5]] as const) {
      const from = at(position, [u, a * size], [v, b * size], [n, -long / 2]);
      this.shapes.arrow(from, at(from, [n, long]), color);
    }
  }
}

function colorOf(theme: SceneTheme, {kind}: ForceField): Color {
  return kind === 'wind' || kind === 'fan' ? theme.wind : theme.velocity;
}
