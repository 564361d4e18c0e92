// Which cubes of a block over a surface are taken. The same as clients/mesh/grid.c.
//
//     near    cells in the boxes around triangles: each is asked by its winding number
//     others  the surface does not come through: of a row of them only the first is asked
//
// Then what hangs together is labelled. A thin part may have lost the cells in its middle: where the corners of a
// triangle lie in different groups, all cells that the triangle comes through are taken.
import {boundsOf} from './weld.js';
import type {Winding} from './winding.js';

const IN = 1;
const NEAR = 2;
const NONE = 0xffffffff;

type Cell = [number, number, number];

export class Grid {
  readonly size: Cell = [1, 1, 1];
  readonly low: Cell = [0, 0, 0];
  readonly marks: Uint8Array;
  taken = 0;
  private readonly label: Uint32Array;

  constructor(
    private readonly positions: Float64Array,
    private readonly triangles: Uint32Array,
    winding: Winding,
    sign: number,
    readonly cell: number,
    cellsMax: number,
    tell: (share: number) => void = () => undefined,
  ) {
    // In the middle over the mesh.
    const bounds = boundsOf(positions);
    let cells = 1;
    for (const axis of [0, 1, 2] as const) {
      const size = Math.max(1, Math.ceil((bounds.high[axis] - bounds.low[axis]) / cell));
      cells *= size;
      this.size[axis] = size;
      this.low[axis] = (bounds.low[axis] + bounds.high[axis]) / 2 - (size * cell) / 2;
    }
    if (!(cells <= cellsMax)) throw new Error('The mesh is too thin to be filled with this many cells.');
    this.marks = new Uint8Array(cells);
    this.label = new Uint32Array(cells);
    this.markNear();
    this.markInside(winding, sign, tell);
    if (this.labelGroups() > 1 && this.joinGroups()) this.labelGroups();
  }

  index(x: number, y: number, z: number): number {
    return (z * this.size[1] + y) * this.size[0] + x;
  }

  has(x: number, y: number, z: number): boolean {
    return (this.marks[this.index(x, y, z)]! & IN) !== 0;
  }

  cellAt(x: number, y: number, z: number): Cell {
    return [x, y, z].map((place, axis) => {
      const at = Math.floor((place - this.low[axis]!) / this.cell);
      return Math.max(0, Math.min(this.size[axis]! - 1, at));
    }) as Cell;
  }

  private cellOf(vertex: number): Cell {
    const p = this.positions;
    return this.cellAt(p[3 * vertex]!, p[3 * vertex + 1]!, p[3 * vertex + 2]!);
  }

  // The cells in the box around a triangle.
  private eachAround(t: number, act: (x: number, y: number, z: number) => void): void {
    const least: number[] = [];
    const most: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
      const places = [0, 1, 2].map((k) => this.positions[3 * this.triangles[t + k]! + axis]!);
      // A triangle in the wall between two cells is near both.
      least.push(Math.min(...places) - 1e-9 * this.cell);
      most.push(Math.max(...places) + 1e-9 * this.cell);
    }
    const low = this.cellAt(...(least as Cell));
    const high = this.cellAt(...(most as Cell));
    for (let z = low[2]; z <= high[2]; z++)
      for (let y = low[1]; y <= high[1]; y++) for (let x = low[0]; x <= high[0]; x++) act(x, y, z);
  }

  private markNear(): void {
    for (let t = 0; t < this.triangles.length; t += 3)
      this.eachAround(t, (x, y, z) => (this.marks[this.index(x, y, z)]! |= NEAR));
    for (let i = 0; 3 * i < this.positions.length; i++)
      this.marks[this.index(...this.cellOf(i))]! |= IN | NEAR;
  }

  private markInside(winding: Winding, sign: number, tell: (share: number) => void): void {
    const {low, cell, size} = this;
    for (let z = 0; z < size[2]; z++) {
      tell(z / size[2]);
      for (let y = 0; y < size[1]; y++) {
        let [known, inside] = [false, false];
        for (let x = 0; x < size[0]; x++) {
          const at = this.index(x, y, z);
          const near = (this.marks[at]! & NEAR) !== 0;
          if (near || !known) {
            const here = winding.at(
              low[0] + (x + 0.5) * cell,
              low[1] + (y + 0.5) * cell,
              low[2] + (z + 0.5) * cell,
            );
            inside = sign * here > 0.5;
          }
          known = !near;
          if (inside) this.marks[at]! |= IN;
        }
      }
    }
  }

  // Says how many groups there are.
  private labelGroups(): number {
    const {size, marks, label} = this;
    const steps = [1, size[0], size[0] * size[1]];
    let groups = 0;
    label.fill(NONE);
    this.taken = 0;
    for (let i = 0; i < marks.length; i++) {
      if (!(marks[i]! & IN) || label[i] !== NONE) continue;
      const waiting = [i];
      label[i] = groups;
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        this.taken++;
        for (let axis = 0; axis < 3; axis++) {
          const place = Math.floor(at / steps[axis]!) % size[axis]!;
          for (const side of [-1, 1]) {
            if (place + side < 0 || place + side >= size[axis]!) continue;
            const other = at + side * steps[axis]!;
            if (!(marks[other]! & IN) || label[other] !== NONE) continue;
            label[other] = groups;
            waiting.push(other);
          }
        }
      }
      groups++;
    }
    return groups;
  }

  // Takes what is between the corners of triangles that reach from group to group. True if there was one.
  private joinGroups(): boolean {
    let any = false;
    for (let t = 0; t < this.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => this.label[this.index(...this.cellOf(this.triangles[t + k]!))]);
      if (a === b && b === c) continue;
      any = true;
      this.eachAround(t, (x, y, z) => {
        if (this.comesThrough(t, [x, y, z])) this.marks[this.index(x, y, z)]! |= IN;
      });
    }
    return any;
  }

  // Separating axes: the triangle's normal, and edges against the cube's axes. (Akenine-Moeller 2001. The cube's own
  // three are the box of cells that one comes from.)
  private comesThrough(t: number, cell: Cell): boolean {
    const v = [0, 1, 2].map((k) =>
      cell.map(
        (at, axis) =>
          this.positions[3 * this.triangles[t + k]! + axis]! - (this.low[axis]! + (at + 0.5) * this.cell),
      ),
    );
    const edges = v.map((from, k) => from.map((x, axis) => v[(k + 1) % 3]![axis]! - x)) as [
      number,
      number,
      number,
    ][];
    const [e, f] = edges as [Cell, Cell];
    const axes = [[e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]]];
    for (const [x, y, z] of edges) axes.push([0, -z, y], [z, 0, -x], [-y, x, 0]);
    return axes.every((axis) => {
      const shadows = v.map((p) => p[0]! * axis[0]! + p[1]! * axis[1]! + p[2]! * axis[2]!);
      const reach =
        (this.cell / 2) * (Math.abs(axis[0]!) + Math.abs(axis[1]!) + Math.abs(axis[2]!)) * (1 + 1e-9);
      return Math.min(...shadows) <= reach && Math.max(...shadows) >= -reach;
    });
  }
}
