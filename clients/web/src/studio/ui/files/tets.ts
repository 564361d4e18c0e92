// Tetrahedra out of files: TetGen's .node and .ele, Gmsh's .msh (2.0 to 2.2, 4.0, 4.1, as text and as bytes).
//
// What a count claims is never believed: values are read one by one, and a file that ends early is refused.
export interface TetSoup {
  readonly positions: Float64Array;
  // Of a file without tetrahedra its triangles are read.
  readonly tets: Uint32Array;
  readonly triangles: Uint32Array;
}

// Values one after another, out of text or bytes.
class Values {
  at = 0;
  binary = false;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  // The next word of text; empty at the end. '#' begins a comment.
  word(): string {
    const {bytes} = this;
    for (; this.at < bytes.length && (bytes[this.at]! <= 32 || bytes[this.at] === 35); this.at++)
      if (bytes[this.at] === 35) while (this.at < bytes.length && bytes[this.at] !== 10) this.at++;
    const from = this.at;
    while (this.at < bytes.length && bytes[this.at]! > 32 && bytes[this.at] !== 35) this.at++;
    return String.fromCharCode(...bytes.subarray(from, Math.min(this.at, from + 64)));
  }

  // The rest of the line, as numbers.
  line(): number[] {
    const end = this.bytes.indexOf(10, this.at);
    const stop = end < 0 ? this.bytes.length : end;
    const text = new TextDecoder('latin1').decode(this.bytes.subarray(this.at, stop)).replace(/#.*/, '');
    this.at = Math.min(stop + 1, this.bytes.length);
    return text.trim() === '' ? [] : text.trim().split(/\s+/).map(Number);
  }

  // The next line that says something.
  content(): number[] {
    while (this.at < this.bytes.length) {
      const numbers = this.line();
      if (numbers.length > 0) return numbers;
    }
    throw new Error('It ends early.');
  }

  int(): number {
    return this.binary ? this.take(4, (at) => this.view.getInt32(at, true)) : this.text();
  }

  size(): number {
    return this.binary ? this.take(8, (at) => Number(this.view.getBigUint64(at, true))) : this.text();
  }

  double(): number {
    return this.binary ? this.take(8, (at) => this.view.getFloat64(at, true)) : this.text();
  }

  // Past the section of this name. False: there is none from here on.
  section(name: string): boolean {
    const wanted = [...`\n$${name}`].map((letter) => letter.charCodeAt(0));
    const first = wanted.slice(1);
    for (let from = this.at; from < this.bytes.length; from++) {
      const word = from === 0 ? first : wanted;
      if (this.bytes[from] !== word[0] || word.some((byte, i) => this.bytes[from + i] !== byte)) continue;
      const end = this.bytes.indexOf(10, from + word.length);
      if (
        end < 0 ||
        !/^\s*$/.test(
          String.fromCharCode(...this.bytes.subarray(from + word.length, Math.min(end, from + 64))),
        )
      )
        continue;
      this.at = end + 1;
      return true;
    }
    return false;
  }

  private text(): number {
    const word = this.word();
    const number = Number(word);
    if (word === '' || word.startsWith('$')) throw new Error('It ends early.');
    if (!Number.isFinite(number)) throw new Error(`“${word}” is not a number.`);
    return number;
  }

  private take(bytes: number, read: (at: number) => number): number {
    if (this.at + bytes > this.bytes.length) throw new Error('It ends early.');
    this.at += bytes;
    return read(this.at - bytes);
  }
}

// -- TetGen

export function readTetgen(nodes: ArrayBuffer, eles: ArrayBuffer): TetSoup {
  const points = new Values(new Uint8Array(nodes));
  const [count = 0, dimension = 0] = points.content();
  if (dimension !== 3) throw new Error(`Its dimension is ${dimension}; must be 3.`);
  const positions: number[] = [];
  let base = 0;
  for (let i = 0; i < count; i++) {
    const [number = NaN, x = NaN, y = NaN, z = NaN] = points.content();
    if (i === 0) base = number;
    if ((base !== 0 && base !== 1) || number !== base + i)
      throw new Error(`Node ${number} comes in place of node ${base + i}.`);
    positions.push(x, y, z);
  }
  const elements = new Values(new Uint8Array(eles));
  const [tetCount = 0, corners = 0] = elements.content();
  if (corners !== 4 && corners !== 10)
    throw new Error(`It has ${corners} nodes per tetrahedron; must be 4 or 10.`);
  const tets: number[] = [];
  for (let i = 0; i < tetCount; i++) {
    const own = elements.content().slice(1, 5);
    for (const node of own)
      if (!(Number.isInteger(node) && node >= base && node < base + count))
        throw new Error(`It names node ${node}, which is not in the .node file.`);
    if (own.length < 4) throw new Error('A tetrahedron has fewer than four nodes.');
    tets.push(...own.map((node) => node - base));
  }
  return finish(positions, tets, []);
}

// -- Gmsh

// Nodes of an element, by its type.
const NODES = [
  0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6, 20, 35,
  56,
] as const;
const TRIANGLES: ReadonlySet<number> = new Set([2, 9, 20, 21, 22, 23, 24, 25]);
const TETS: ReadonlySet<number> = new Set([4, 11, 29, 30, 31]);

export function readGmsh(bytes: ArrayBuffer): TetSoup {
  const values = new Values(new Uint8Array(bytes));
  if (!values.section('MeshFormat')) throw new Error('It does not begin with $MeshFormat.');
  const [version = 0, binary = 0, size = 0] = values.line();
  const known = (version >= 2 && version < 3) || version === 4 || version === 4.1;
  if (!known) throw new Error(`It is of version ${version}; 2.0 to 2.2, 4.0 and 4.1 can be read.`);
  if (binary && (size !== 8 || new DataView(bytes, values.at).getInt32(0, true) !== 1))
    throw new Error('Its byte order or the size of its numbers is not supported.');
  if (!values.section('Nodes')) throw new Error('It has no $Nodes.');
  values.binary = binary === 1;
  const positions: number[] = [];
  const index = new Map<number, number>();
  const node = (tag: number) => void index.set(tag, index.size);
  const place = (parameters: number) => {
    positions.push(values.double(), values.double(), values.double());
    for (let i = 0; i < parameters; i++) values.double();
  };
  readNodes(values, version, node, place);
  values.binary = false;
  if (!values.section('Elements')) throw new Error('It has no $Elements.');
  values.binary = binary === 1;
  const tets: number[] = [];
  const triangles: number[] = [];
  readElements(values, version, (type, tags) => {
    const corners = TETS.has(type) ? 4 : TRIANGLES.has(type) ? 3 : 0;
    for (const tag of tags.slice(0, corners)) {
      const at = index.get(tag);
      if (at === undefined) throw new Error(`An element names node ${tag}, which does not exist.`);
      (corners === 4 ? tets : triangles).push(at);
    }
  });
  return finish(positions, tets, triangles);
}

function readNodes(
  values: Values,
  version: number,
  node: (tag: number) => void,
  place: (parameters: number) => void,
): void {
  if (version < 4) {
    const [count = 0] = values.line();
    for (let i = 0; i < count; i++) {
      node(values.int());
      place(0);
    }
    return;
  }
  const blocks = values.size();
  values.size();
  if (version > 4) {
    values.size();
    values.size();
  }
  for (let b = 0; b < blocks; b++) {
    const [first, second, parametric] = [values.int(), values.int(), values.int()];
    const count = values.size();
    // As many parameters as the entity has dimensions.
    const parameters = parametric ? (version > 4 ? first : second) : 0;
    if (version > 4) for (let i = 0; i < count; i++) node(values.size());
    for (let i = 0; i < count; i++) {
      if (version === 4) node(values.int());
      place(parameters);
    }
  }
}

function readElements(values: Values, version: number, take: (type: number, tags: number[]) => void): void {
  const nodesOf = (type: number): number =>
    NODES[type] || fail(`It has elements of the unknown type ${type}.`);
  const tagsOf = (count: number, read: () => number) => Array.from({length: count}, read);
  const int = () => values.int();
  if (version < 4) {
    const [count = 0] = values.line();
    for (let i = 0; i < count;) {
      if (values.binary) {
        const [type, many, tags] = [values.int(), values.int(), values.int()];
        if (many < 1) fail('A block of elements is empty.');
        for (let k = 0; k < many; k++, i++) {
          tagsOf(1 + small(tags), int);
          take(type, tagsOf(nodesOf(type), int));
        }
      } else {
        values.int();
        const type = values.int();
        tagsOf(small(values.int()), int);
        take(type, tagsOf(nodesOf(type), int));
        i++;
      }
    }
    return;
  }
  const blocks = values.size();
  values.size();
  const tag = version > 4 ? () => values.size() : int;
  if (version > 4) tagsOf(2, tag);
  for (let b = 0; b < blocks; b++) {
    values.int();
    values.int();
    const type = values.int();
    const count = values.size();
    for (let i = 0; i < count; i++) {
      tag();
      take(type, tagsOf(nodesOf(type), tag));
    }
  }
}

function small(count: number): number {
  return count >= 0 && count <= 64 ? count : fail(`An element has ${count} tags.`);
}

function fail(words: string): never {
  throw new Error(words);
}

// -- both

// Only what is used, and each tetrahedron with a positive volume.
function finish(all: readonly number[], tets: readonly number[], triangles: readonly number[]): TetSoup {
  const elements = tets.length > 0 ? tets : triangles;
  const number = new Map<number, number>();
  const positions: number[] = [];
  const own = Uint32Array.from(elements, (old) => {
    let now = number.get(old);
    if (now === undefined) {
      now = number.size;
      number.set(old, now);
      positions.push(all[3 * old]!, all[3 * old + 1]!, all[3 * old + 2]!);
    }
    return now;
  });
  if (own.length === 0) throw new Error('It has neither tetrahedra nor triangles.');
  const places = Float64Array.from(positions);
  if (tets.length === 0) return {positions: places, tets: new Uint32Array(), triangles: own};
  for (let t = 0; t < own.length; t += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => 3 * own[t + k]!) as [number, number, number, number];
    const of = (to: number, axis: number) => places[to + axis]! - places[a + axis]!;
    const volume =
      (of(b, 1) * of(c, 2) - of(b, 2) * of(c, 1)) * of(d, 0) +
      (of(b, 2) * of(c, 0) - of(b, 0) * of(c, 2)) * of(d, 1) +
      (of(b, 0) * of(c, 1) - of(b, 1) * of(c, 0)) * of(d, 2);
    if (volume < 0) [own[t], own[t + 1]] = [own[t + 1]!, own[t]!];
  }
  return {positions: places, tets: own, triangles: new Uint32Array()};
}

// The outer triangles of tetrahedra: for pictures.
export function skinOf(tets: Uint32Array): Uint32Array {
  const faces = new Map<string, number[]>();
  for (let t = 0; t < tets.length; t += 4) {
    const [a, b, c, d] = [tets[t]!, tets[t + 1]!, tets[t + 2]!, tets[t + 3]!];
    for (const face of [
      [a, c, b],
      [a, b, d],
      [a, d, c],
      [b, c, d],
    ]) {
      const key = [...face].sort((x, y) => x - y).join();
      if (!faces.delete(key)) faces.set(key, face);
    }
  }
  return Uint32Array.from([...faces.values()].flat());
}
