// Measures in the picture: lines between the points that were picked, the points of the one that is being made, and what each comes
// to, at its middle. The list of measures says the same in words.
import {effect} from '@preact/signals';
import {Group} from 'three';
import type {App} from '../model/app.js';
import {measuringOf} from '../model/measuring.js';
import type {Measure} from '../model/measures.js';
import type {Vec3} from '../model/values.js';
import {placeOf} from './anchors.js';
import type {Content} from './content.js';
import {Dots} from './dots.js';
import {Labels, type Label} from './labels.js';
import {toPage} from './pick.js';
import type {SceneTheme} from './theme.js';
import {WideLines} from './widelines.js';

export class Rulers {
  readonly object = new Group();
  private readonly lines = new WideLines(2, false, 6);
  private readonly dots = new Dots(9, false);
  private readonly labels: Labels;
  private readonly off: () => void;

  constructor(
    private readonly app: App,
    private readonly content: Content,
    stage: HTMLElement,
    changed: () => void,
  ) {
    this.labels = new Labels(stage);
    this.off = effect(() => {
      void [app.viewState.measures.value, app.viewState.picked.value, measuringOf(app).readings.value];
      changed();
    });
    this.object.add(this.lines.mesh, this.dots.points);
  }

  dispose(): void {
    this.off();
    this.lines.dispose();
    this.dots.dispose();
    this.labels.dispose();
    this.object.removeFromParent();
  }

  resize(width: number, height: number, ratio: number): void {
    this.lines.resize(width, height, ratio);
    this.dots.pixelRatio = ratio;
  }

  // Before each drawing.
  place(theme: SceneTheme): void {
    const {measures, picked} = this.app.viewState;
    const readings = measuringOf(this.app).readings.peek();
    const labels: Label[] = [];
    const ends: number[] = [];
    this.lines.begin();
    for (const measure of measures.peek()) {
      const places = this.placesOf(measure);
      places.forEach((at, i) => {
        if (i > 0) this.lines.add(places[i - 1]!, at, theme.accent);
        ends.push(...at);
      });
      const text = readings.get(measure.id)?.text;
      const label = text && this.labelAt(measure.kind === 'angle' ? places[1] : middleOf(places), text);
      if (label) labels.push(label);
    }
    for (const anchor of picked.peek()) {
      ends.push(...(placeOf(this.content, anchor) ?? []));
    }
    this.lines.end();
    this.dots.write(ends.length / 3, (to) => {
      to.set(ends);
      return ends.length / 3;
    });
    this.dots.paint(theme.accent, theme.plain);
    this.labels.show(labels);
  }

  private placesOf(measure: Measure): Vec3[] {
    switch (measure.kind) {
      case 'distance':
      case 'angle': {
        const places = measure.anchors.map((anchor) => placeOf(this.content, anchor));
        return places.every((at) => at !== null) ? (places as Vec3[]) : [];
      }
      case 'pin': {
        const at = placeOf(this.content, {kind: 'particle', body: measure.body, particle: measure.particle});
        return at ? [at] : [];
      }
      case 'force': {
        const ends = this.app.document.constraints.find(measure.constraint);
        const places = (ends?.particles ?? []).map((particle, i) =>
          placeOf(this.content, {kind: 'particle', body: ends!.bodies[i] ?? 0, particle}),
        );
        const middle = middleOf(places.filter((at) => at !== null));
        return middle ? [middle] : [];
      }
      default:
        return [];
    }
  }

  private labelAt(at: Vec3 | null | undefined, text: string): Label | null {
    const place = {x: 0, y: 0, depth: 0};
    if (at) toPage(this.content.screen, at[0], at[1], at[2], place);
    return place.depth > 0 ? {x: place.x, y: place.y, text, tone: 'own'} : null;
  }
}

function middleOf(places: readonly Vec3[]): Vec3 | null {
  if (places.length === 0) return null;
  const mean = (axis: 0 | 1 | 2) => places.reduce((sum, at) => sum + at[axis], 0) / places.length;
  return [mean(0), mean(1), mean(2)];
}
