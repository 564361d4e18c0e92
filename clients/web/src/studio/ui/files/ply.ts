// Shapes out of a PLY: vertices, faces, strips of triangles and edges, and nothing else of it; text or bytes of either
// order.
//
//     ply · format ascii|binary_little_endian|binary_big_endian 1.0
//     element NAME COUNT, each with its properties: TYPE NAME, or list TYPE TYPE NAME (how many, then as many)
//     end_header, and the elements one after the other
//
// three.js' loader drops faces of five corners and more, takes what is cut off for what there is, and gives each corner
// a vertex of its own where faces have texture coordinates.
import type {Soup} from '../../../files/index.js';
import {Growing} from './growing.js';

interface Property {
  readonly name: string;
  readonly type: string;
  // Of the number that says how many there are, for lists.
  readonly count: string | null;
}

interface Element {
  readonly name: string;
  readonly count: number;
  readonly properties: Property[];
}

// The next number of a type. Throws a RangeError past the end.
type Next = (type: string) => number;

const HEADER_BYTES_MAX = 1 << 16;
const TOLD_ROWS = 1 << 16;

const SIZES: Readonly<Record<string, readonly [bytes: number, method: `get${string}` & keyof DataView]>> = {
  char: [1, 'getInt8'],
  uchar: [1, 'getUint8'],
  short: [2, 'getInt16'],
  ushort: [2, 'getUint16'],
  int: [4, 'getInt32'],
  uint: [4, 'getUint32'],
  float: [4, 'getFloat32'],
  double: [8, 'getFloat64'],
};
const ALIASES: Readonly<Record<string, string>> = {
  int8: 'char',
  uint8: 'uchar',
  int16: 'short',
  uint16: 'ushort',
  int32: 'int',
  uint32: 'uint',
  float32: 'float',
  float64: 'double',
};

// Throws an Error for people.
export function readPly(bytes: ArrayBuffer, tell: (share: number) => void = () => undefined): Soup {
  const {elements, next} = opened(bytes);
  const positions = new Growing(new Float64Array(3 << 10));
  const triangles = new Growing(new Uint32Array(3 << 10));
  const lines = new Growing(new Uint32Array(1 << 10));
  const polygons: number[] = [];
  const vertices = elements.find(({name}) => name === 'vertex')?.count ?? 0;
  const rows = elements.reduce((sum, {count}) => sum + count, 0);
  let read = 0;
  for (const element of elements) {
    const what = element.name === 'vertex' ? 'vertices' : element.name === 'face' ? 'faces' : `rows of ${element.name}`;
    for (let row = 0; row < element.count; ++row) {
      let values: Map<string, readonly number[]>;
      try {
        values = rowOf(element, next);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new Error(`The file ends too early: it has ${row} of ${element.count} ${what}.`);
      }
      const corner = (vertex: number | undefined): number => {
        if (vertex === undefined || !(vertex >= 0 && vertex < vertices && Number.isInteger(vertex)))
          throw new Error(`Number ${row} of the ${what} names vertex ${vertex}; there are ${vertices}.`);
        return vertex;
      };
      const listed = values.get('vertex_indices') ?? values.get('vertex_index');
      if (element.name === 'vertex') {
        for (const axis of ['x', 'y', 'z']) {
          const value = values.get(axis)?.[0] ?? NaN;
          if (!Number.isFinite(value)) throw new Error(`Vertex ${row} has a coordinate that is not a finite number.`);
          positions.push(value);
        }
      } else if (element.name === 'face' && listed) {
        pushFan(listed.map(corner), triangles, polygons);
      } else if (element.name === 'tristrips' && listed) {
        for (const triangle of strips(listed)) for (const one of triangle) triangles.push(corner(one));
      } else if (element.name === 'edge' && values.has('vertex1')) {
        for (const end of ['vertex1', 'vertex2']) lines.push(corner(values.get(end)?.[0]));
      }
      if (++read % TOLD_ROWS === 0) tell(read / rows);
    }
  }
  return {
    positions: positions.taken,
    triangles: triangles.taken,
    lines: lines.taken,
    polygons: Uint32Array.from(polygons),
  };
}

// A polygon stands as a fan at first: its vertices may come later in the file.
function pushFan(corners: readonly number[], triangles: Growing<Uint32Array>, polygons: number[]): void {
  if (corners.length > 3) polygons.push(triangles.count / 3, corners.length);
  for (let i = 2; i < corners.length; ++i)
    for (const one of [corners[0]!, corners[i - 1]!, corners[i]!]) triangles.push(one);
}

function rowOf({properties}: Element, next: Next): Map<string, readonly number[]> {
  const values = new Map<string, readonly number[]>();
  for (const {name, type, count} of properties) {
    const length = count === null ? 1 : next(count);
    const list: number[] = [];
    for (let i = 0; i < length; ++i) list.push(next(type));
    values.set(name, list);
  }
  return values;
}

// −1 begins another strip; every second triangle of one is the other way round.
function* strips(corners: readonly number[]): Generator<readonly number[]> {
  let from = 0;
  for (let i = 0; i < corners.length; ++i) {
    if (corners[i] === -1) from = i + 1;
    else if (i - from >= 2) {
      const [a, b, c] = corners.slice(i - 2, i + 1) as [number, number, number];
      yield (i - from) % 2 === 0 ? [a, b, c] : [b, a, c];
    }
  }
}

function opened(bytes: ArrayBuffer): {elements: Element[]; next: Next} {
  const start = new TextDecoder('latin1').decode(bytes.slice(0, HEADER_BYTES_MAX));
  if (!/^ply\s/.test(start)) throw new Error('It does not begin with “ply”.');
  const end = /^end_header[ \t]*(\r\n|\n|\r)/m.exec(start);
  if (!end) throw new Error('Its header has no end.');
  const elements: Element[] = [];
  let format = '';
  for (const line of start.slice(0, end.index).split(/[\r\n]+/)) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'format') format = rest[0] ?? '';
    else if (word === 'element') {
      const count = Number(rest[1]);
      if (!(Number.isInteger(count) && count >= 0)) throw new Error(`“${line.trim()}” has no count.`);
      elements.push({name: rest[0] ?? '', count, properties: []});
    } else if (word === 'property') elements[elements.length - 1]?.properties.push(propertyOf(rest, line.trim()));
  }
  const body = bytes.slice(end.index + end[0].length);
  if (format === 'ascii') return {elements, next: ofText(new TextDecoder('latin1').decode(body))};
  if (format !== 'binary_little_endian' && format !== 'binary_big_endian')
    throw new Error(`“${format}” is not a format of PLY.`);
  return {elements, next: ofBytes(new DataView(body), format === 'binary_little_endian')};
}

function propertyOf(words: readonly string[], line: string): Property {
  const [count, type, name] = words[0] === 'list' ? words.slice(1) : [null, ...words];
  const known = (one: string | null | undefined) => {
    const own = ALIASES[one ?? ''] ?? one ?? '';
    if (!(own in SIZES)) throw new Error(`“${line}” has a type that PLY does not have.`);
    return own;
  };
  return {name: name ?? '', type: known(type), count: count === null ? null : known(count)};
}

function ofText(text: string): Next {
  const words = /\S+/g;
  return () => {
    const word = words.exec(text)?.[0];
    if (word === undefined) throw new RangeError();
    return Number(word);
  };
}

function ofBytes(view: DataView, little: boolean): Next {
  let at = 0;
  return (type) => {
    const [bytes, method] = SIZES[type]!;
    const value = (view[method] as (at: number, little: boolean) => number).call(view, at, little);
    at += bytes;
    return value;
  };
}
