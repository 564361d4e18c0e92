// From a point or an outline on the page to things that can be selected.
import type {App} from '../model/app.js';
import type {SelectMode, Thing} from '../model/selection.js';
import {measuredOf} from '../model/measured.js';
import {CONSTRAINT_KINDS} from '../model/values.js';
import type {Content, Hit} from './content.js';
import type {Later} from './later.js';
import type {Overlays} from './overlays.js';
import {isWithin, nearestLine, particlesWithin, toPage} from './pick.js';
import {constraintAt} from '../model/table.js';

const LINE_REACH = 7;

export class Picker {
  constructor(
    private readonly app: App,
    private readonly content: Content,
    private readonly overlays: Overlays,
    private readonly later: Later,
  ) {}

  // What a click there selects, as the target says.
  thingAt(x: number, y: number, reach: number): Thing | null {
    if (this.app.viewState.target.peek() === 'constraint' && this.app.viewState.tool.peek() !== 'grab') {
      const line = this.constraintAt(x, y);
      if (line) {
        return line;
      }
    }
    const {x: left, y: top} = this.content.local(x, y);
    return this.later.thingAt(left, top, reach) ?? this.thingOf(this.content.hitNear(x, y, reach));
  }

  thingOf(hit: Hit | null): Thing | null {
    if (!hit) {
      return null;
    }
    if (hit.collider !== null) {
      return {kind: 'collider', collider: hit.collider};
    }
    return this.app.viewState.target.peek() === 'body'
      ? {kind: 'body', body: hit.body!}
      : {kind: 'particle', body: hit.body!, particle: hit.particle};
  }

  // Selects what is within an outline: x, y pairs in pixels of the view.
  selectWithin(outline: ArrayLike<number>, mode: SelectMode): void {
    const {viewState, selection} = this.app;
    const target = viewState.target.peek();
    if (target === 'constraint') {
      selection.select(this.constraintsWithin(outline), mode);
      return;
    }
    const {screen} = this.content;
    const found = new Map<number, Uint32Array>();
    for (const [body, view] of this.content.bodies) {
      const particles = view.passed ? null : particlesWithin(screen, view.positions, outline);
      if (particles && particles.length > 0) {
        found.set(body, particles);
      }
    }
    if (target === 'particle') {
      selection.selectAllOf(found, mode);
    } else {
      selection.select(
        Array.from(found.keys(), (body): Thing => ({kind: 'body', body})),
        mode,
      );
    }
  }

  private constraintAt(x: number, y: number): Thing | null {
    const at = this.content.local(x, y);
    const {screen} = this.content;
    for (const kind of CONSTRAINT_KINDS) {
      const writer = this.overlays.lineWriter(kind);
      const table = this.app.document.constraints.table(kind).peek();
      const line = writer && table ? nearestLine(screen, writer.positions, at.x, at.y, LINE_REACH) : -1;
      if (table && line >= 0) {
        const row = Math.floor(line / measuredOf(kind).lines.length);
        return {kind: 'constraint', constraint: table.ids[row], type: kind};
      }
    }
    return null;
  }

  // Those of which every particle is within.
  private constraintsWithin(outline: ArrayLike<number>): Thing[] {
    const {screen} = this.content;
    const things: Thing[] = [];
    const at = {x: 0, y: 0, depth: 0};
    for (const kind of CONSTRAINT_KINDS) {
      const table = this.overlays.lineWriter(kind) ? this.app.document.constraints.table(kind).peek() : null;
      for (let row = 0; table && row < table.ids.length; row++) {
        const {constraint, bodies, particles} = constraintAt(table, row);
        const inside = particles.every((particle, i) => {
          const positions = this.content.positionsOf(bodies[i]);
          if (!positions) {
            return false;
          }
          toPage(
            screen,
            positions[3 * particle],
            positions[3 * particle + 1],
            positions[3 * particle + 2],
            at,
          );
          return at.depth > 0 && isWithin(at.x, at.y, outline);
        });
        if (inside) {
          things.push({kind: 'constraint', constraint, type: kind});
        }
      }
    }
    return things;
  }
}
