// Where bodies touch, what was held back, and in red the edges that go through triangles: dots and lines over the picture,
// at the places that particles are drawn at.
import {Color, Group} from 'three';
import type {Contacts} from '../../lib/index.js';
import type {Vec3} from '../model/values.js';
import type {ShownContacts} from '../model/viewstate.js';
import {Dots} from './dots.js';
import type {SceneTheme} from './theme.js';
import {WideLines} from './widelines.js';

type Positions = (body: number) => Float32Array | null;

const NONE: ShownContacts = {known: false, touching: 0, held: 0, crossed: 0, more: 0};

export class ContactMarks {
  readonly object = new Group();
  private readonly touching = new Dots(8);
  // Around a touching one, whose dot stays to be seen.
  private readonly held = new Dots(12);
  // What is inside of something else has to be seen all the same.
  private readonly crossed = new WideLines(3, false, 6);
  private color = new Color();

  constructor() {
    this.held.points.renderOrder = 4;
    this.object.add(this.held.points, this.touching.points, this.crossed.mesh);
    this.write(null, () => null);
  }

  paint({contacts}: SceneTheme): void {
    const paper = new Color(1, 1, 1);
    this.touching.paint(contacts.touching, paper);
    this.held.paint(contacts.held, paper);
    this.color = contacts.crossed;
  }

  resize(width: number, height: number, ratio: number): void {
    this.touching.pixelRatio = ratio;
    this.held.pixelRatio = ratio;
    this.crossed.resize(width, height, ratio);
  }

  // Of bodies that are shown. Says how many of each there are.
  write(contacts: Contacts | null, shownOf: Positions): ShownContacts {
    const bodies = contacts?.bodies ?? [];
    const touching = this.dots(this.touching, bodies.map(({body, touching: list}) => [shownOf(body), list]));
    const held = this.dots(this.held, bodies.map(({body, held: list}) => [shownOf(body), list]));
    let crossed = 0;
    this.crossed.begin();
    for (const {body, crossed: ends} of bodies) {
      const from = shownOf(body);
      for (let i = 0; from && i + 1 < ends.length; i += 2) {
        const [a, b] = [pointOf(from, ends[i]), pointOf(from, ends[i + 1])];
        if (a && b) {
          this.crossed.add(a, b, this.color);
          crossed++;
        }
      }
    }
    this.crossed.end();
    return contacts ? {known: contacts.known, touching, held, crossed, more: contacts.more} : NONE;
  }

  dispose(): void {
    [this.touching, this.held].forEach((dots) => dots.dispose());
    this.crossed.dispose();
  }

  private dots(dots: Dots, lists: readonly (readonly [Float32Array | null, Uint32Array])[]): number {
    let count = 0;
    dots.write(
      lists.reduce((sum, [, list]) => sum + list.length, 0),
      (to) => {
        for (const [from, list] of lists) {
          for (let i = 0; from && i < list.length; i++) {
            const point = pointOf(from, list[i]);
            if (point) {
              to.set(point, 3 * count++);
            }
          }
        }
        return count;
      },
    );
    return count;
  }
}

function pointOf(positions: Float32Array, particle: number | undefined): Vec3 | null {
  const at = 3 * (particle ?? Infinity);
  return at + 2 < positions.length ? [positions[at], positions[at + 1], positions[at + 2]] : null;
}
