// Winding numbers: the solid angle of all triangles seen from a point, over 4 pi.
//
//     near     each triangle's solid angle                                     (Van Oosterom, Strackee 1983)
//     far      a box of triangles as one: (c - p).A / (4 pi |c - p|^3),  A the sum of their area vectors
//
// It does not need the surface to be closed: a crack takes away only its own share of the angle (Jacobson, Kavan,
// Sorkine-Hornung 2013); the tree makes it quick (Barill and others 2018, of which this is the first order). The same as
// clients/mesh/winding.c.
const LEAF_MAX = 8;
const DEPTH_MAX = 64;
const FAR = 2.5; // times a box's radius; the error is then below 0.01

interface Node {
  readonly center: number[]; // by area
  readonly area: number[]; // vectors' sum
  readonly radius: number; // of a ball about the centre that holds all of it
  readonly first: number;
  readonly count: number;
  readonly left: Node | null;
  readonly right: Node | null;
}

// Of one triangle, from −2 pi to 2 pi.
function angleOf(
  p: ArrayLike<number>,
  corners: ArrayLike<number>,
  at: number,
  x: number,
  y: number,
  z: number,
): number {
  const [a, b, c] = [3 * corners[at]!, 3 * corners[at + 1]!, 3 * corners[at + 2]!];
  const [ax, ay, az] = [p[a]! - x, p[a + 1]! - y, p[a + 2]! - z];
  const [bx, by, bz] = [p[b]! - x, p[b + 1]! - y, p[b + 2]! - z];
  const [cx, cy, cz] = [p[c]! - x, p[c + 1]! - y, p[c + 2]! - z];
  const la = Math.sqrt(ax * ax + ay * ay + az * az);
  const lb = Math.sqrt(bx * bx + by * by + bz * bz);
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const above = (ay * bz - az * by) * cx + (az * bx - ax * bz) * cy + (ax * by - ay * bx) * cz;
  const below =
    la * lb * lc +
    (ax * bx + ay * by + az * bz) * lc +
    (bx * cx + by * cy + bz * cz) * la +
    (cx * ax + cy * ay + cz * az) * lb;
  return 2 * Math.atan2(above, below);
}

export class Winding {
  private readonly root: Node | null;
  private readonly corners: Uint32Array;

  constructor(
    private readonly positions: Float64Array,
    triangles: Uint32Array,
  ) {
    const count = triangles.length / 3;
    const middles = new Float64Array(triangles.length);
    for (let t = 0; t < count; t++)
      for (let axis = 0; axis < 3; axis++)
        for (let k = 0; k < 3; k++) middles[3 * t + axis]! += positions[3 * triangles[3 * t + k]! + axis]!;
    const order = Uint32Array.from({length: count}, (_, t) => t);
    this.corners = new Uint32Array(triangles.length);
    this.root = count > 0 ? this.grow(order, middles, triangles, 0, count, 0) : null;
  }

  at(x: number, y: number, z: number): number {
    let sum = 0;
    const stack: (Node | null)[] = [this.root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      const {center, area} = node;
      const [dx, dy, dz] = [center[0]! - x, center[1]! - y, center[2]! - z];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (distance > FAR * node.radius && distance > 0) {
        sum += (dx * area[0]! + dy * area[1]! + dz * area[2]!) / (distance * distance * distance);
      } else if (node.left) {
        stack.push(node.right, node.left);
      } else {
        for (let t = node.first; t < node.first + node.count; t++)
          sum += angleOf(this.positions, this.corners, 3 * t, x, y, z);
      }
    }
    return sum / (4 * Math.PI);
  }

  // Halves at the middle of the longest extent of the triangles' middles; where that leaves a side empty, by number.
  private grow(
    order: Uint32Array,
    middles: Float64Array,
    triangles: Uint32Array,
    first: number,
    count: number,
    depth: number,
  ): Node {
    let [left, right]: [Node | null, Node | null] = [null, null];
    if (count > LEAF_MAX && depth < DEPTH_MAX) {
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      for (let i = first; i < first + count; i++) {
        for (let axis = 0; axis < 3; axis++) {
          const middle = middles[3 * order[i]! + axis]!;
          low[axis] = Math.min(low[axis]!, middle);
          high[axis] = Math.max(high[axis]!, middle);
        }
      }
      const extents = high.map((most, axis) => most - low[axis]!);
      const axis = extents.indexOf(Math.max(...extents));
      const at = (low[axis]! + high[axis]!) / 2;
      let middle = first;
      for (let i = first; i < first + count; i++) {
        if (middles[3 * order[i]! + axis]! >= at) continue;
        [order[i], order[middle]] = [order[middle]!, order[i]!];
        middle++;
      }
      if (middle === first || middle === first + count) middle = first + Math.floor(count / 2);
      left = this.grow(order, middles, triangles, first, middle - first, depth + 1);
      right = this.grow(order, middles, triangles, middle, first + count - middle, depth + 1);
    } else {
      for (let i = first; i < first + count; i++)
        for (let k = 0; k < 3; k++) this.corners[3 * i + k] = triangles[3 * order[i]! + k]!;
    }
    return {...this.sumUp(order, triangles, first, count), first, count, left, right};
  }

  private sumUp(order: Uint32Array, triangles: Uint32Array, first: number, count: number) {
    const p = this.positions;
    const [area, weighed, plain] = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ];
    let total = 0;
    for (let i = first; i < first + count; i++) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * order[i]! + k]!) as [number, number, number];
      const [ux, uy, uz] = [p[b]! - p[a]!, p[b + 1]! - p[a + 1]!, p[b + 2]! - p[a + 2]!];
      const [vx, vy, vz] = [p[c]! - p[a]!, p[c + 1]! - p[a + 1]!, p[c + 2]! - p[a + 2]!];
      const n = [0.5 * (uy * vz - uz * vy), 0.5 * (uz * vx - ux * vz), 0.5 * (ux * vy - uy * vx)];
      const size = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
      total += size;
      for (let axis = 0; axis < 3; axis++) {
        const middle = (p[a + axis]! + p[b + axis]! + p[c + axis]!) / 3;
        area[axis]! += n[axis]!;
        weighed[axis]! += size * middle;
        plain[axis]! += middle / count;
      }
    }
    const center = total > 0 ? weighed.map((sum) => sum / total) : plain;
    let radius = 0;
    for (let i = first; i < first + count; i++) {
      for (let k = 0; k < 3; k++) {
        const at = 3 * triangles[3 * order[i]! + k]!;
        const [x, y, z] = [p[at]! - center[0]!, p[at + 1]! - center[1]!, p[at + 2]! - center[2]!];
        radius = Math.max(radius, Math.sqrt(x * x + y * y + z * z));
      }
    }
    return {center, area, radius};
  }
}
