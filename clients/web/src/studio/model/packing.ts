// How positions are sent: as floats, or rounded and compressed (docs/concepts/streaming.md), so that nobody sees it.
//
//     delta    a world that plays
//     f32      one that rests, so that what is looked at closely, read, captured and taken hold of there is the very state; whoever
//              asked for exact positions, or for what goes with floats alone; and where compressed ones cannot be had
//
// Seen are places and shades. Where an edge between two vertices is l long and a coordinate of each end is off by anything up to e,
// the edge is turned by √(2/3) e / l on average, and a surface that is lit by the cosine of an angle changes by no more of its
// brightness. With e = l / 200 that is one level of 256; and as long as an edge is drawn with less than 200 pixels, no vertex is off
// by one.
import {signal, type ReadonlySignal, type Signal} from '@preact/signals';
import type {Client, Codec} from '../../lib/index.js';
import type {Body, Topology} from './values.js';

export type Encoding = {readonly encoding: 'f32'} | {readonly encoding: 'delta'; readonly tolerance: number};

// They are read on the thread that draws, at some 400 MB/s: so many take 6 ms a frame, and what comes before the first of a body, which is
// in proportion, a tenth of a second. More would be in the way of the picture.
const PARTICLES_MOST = 200_000;

export const F32: Encoding = {encoding: 'f32'};

// Never above what streams have by themselves.
const TOLERANCE_MAX = 1e-4;
const TOLERANCE_MIN = 1e-9;
const EDGE_SHARE = 1 / 200;
// Edges that are looked at, and which of them by its length: the finest part of a mesh is seen too, a few slivers are not.
const SAMPLES = 1000;
const QUANTILE = 0.1;

// The largest of 1, 2, 5 times a power of ten that is not above: whoever looks at a world is to ask for the same.
export function rounded(tolerance: number): number {
  const decade = Math.floor(Math.log10(tolerance));
  const step = [5, 2, 1].find((one) => one * 10 ** decade <= tolerance * (1 + 1e-9)) ?? 1;
  return Number(`${step}e${decade}`);
}

function skinVertex({rest, skin}: Topology, vertex: number, axis: number): number {
  let sum = 0;
  for (let i = 4 * vertex; skin && i < 4 * vertex + 4; i++) {
    sum += (skin.weights[i] ?? 0) * (rest[3 * (skin.particles[i] ?? 0) + axis] ?? 0);
  }
  return sum;
}

// Lengths of edges, as many as are looked at.
function lengthsOf(elements: Uint32Array, corners: number, at: (vertex: number, axis: number) => number): number[] {
  const count = Math.floor(elements.length / corners);
  const every = Math.max(1, Math.ceil(count / SAMPLES));
  const lengths: number[] = [];
  for (let element = 0; element < count; element += every) {
    const [a, b] = [elements[corners * element]!, elements[corners * element + 1]!];
    const length = Math.hypot(...[0, 1, 2].map((axis) => at(a, axis) - at(b, axis)));
    if (length > 0 && Number.isFinite(length)) {
      lengths.push(length);
    }
  }
  return lengths.sort((a, b) => a - b);
}

function quantile(lengths: readonly number[]): number {
  return lengths[Math.floor(QUANTILE * lengths.length)] ?? Infinity;
}

const known = new WeakMap<Topology, number>();

// Of the finer of body and skin; infinite where there are no edges.
function edgeOf(topology: Topology): number {
  let edge = known.get(topology);
  if (edge === undefined) {
    const {rest, triangles, edges, tets, skin} = topology;
    const [elements, corners] = triangles.length > 0 ? [triangles, 3] : tets.length > 0 ? [tets, 4] : [edges, 2];
    edge = quantile(lengthsOf(elements, corners, (vertex, axis) => rest[3 * vertex + axis] ?? 0));
    if (skin) {
      edge = Math.min(edge, quantile(lengthsOf(skin.triangles, 3, (vertex, axis) => skinVertex(topology, vertex, axis))));
    }
    known.set(topology, edge);
  }
  return edge;
}

// null while a body is not known yet.
export function toleranceFor(bodies: Iterable<Pick<Body, 'topology'>>): number | null {
  let edge = TOLERANCE_MAX / EDGE_SHARE;
  for (const {topology} of bodies) {
    if (topology === null) {
      return null;
    }
    edge = Math.min(edge, edgeOf(topology));
  }
  return rounded(Math.max(TOLERANCE_MIN, EDGE_SHARE * edge));
}

// Why these are too many; empty where they are not.
export function tooMany(bodies: Iterable<Pick<Body, 'particles'>>): string {
  let particles = 0;
  for (const body of bodies) {
    particles += body.particles;
  }
  return particles > PARTICLES_MOST ? `${particles} particles would take this page too long to read` : '';
}

// Whether this page can read what is compressed.
export class Packing {
  readonly ready: Signal<boolean> = signal(false);
  // Why it cannot; empty where it can, where that is not known yet, and where it need not.
  readonly why: ReadonlySignal<string>;

  // null: nothing is to be compressed, since nothing goes over a network.
  constructor(client: Client, codec: Promise<Codec> | null) {
    const why = signal('');
    this.why = why;
    codec?.then(
      (loaded) => {
        client.codec = loaded;
        this.ready.value = true;
      },
      (error: unknown) => {
        why.value = error instanceof Error ? error.message : String(error);
      },
    );
  }
}
