// Shapes out of an OBJ: vertices, faces and lines, and nothing else of it. It takes and refuses the same as
// protocol/scene/obj.c, which reads for `weft open`; lines are for the page alone.
//
// three.js' loader gives each face corners of its own, so that what the file had in common would be lost: then nobody
// could say which vertices lay on others in the file, and a million triangles would take five times the memory.
import {Growing} from './growing.js';
import {cutFans, pushFan, type Polygon} from './polygon.js';
import type {Soup} from './weld.js';

export interface ObjReading {
  // Called now and then with how much of it was read, 0 to 1.
  readonly tell?: (share: number) => void;
  // Throws what is wrong, and in which line.
  readonly refuse?: (line: number, words: string) => never;
}

const TOLD_CHARACTERS = 1 << 20;

function refuseLine(line: number, words: string): never {
  throw new Error(`Line ${line}: ${words}.`);
}

export function readObj(text: string, {tell, refuse = refuseLine}: ObjReading = {}): Soup {
  const positions = new Growing(new Float64Array(3 << 10));
  const triangles = new Growing(new Uint32Array(3 << 10));
  const lines = new Growing(new Uint32Array(1 << 10));
  const polygons: Polygon[] = [];
  // The greatest vertex that is named, with its line: it may come later than its name.
  let [greatest, greatestLine, told] = [-1, 0, 0];
  const cornersOf = (parts: readonly string[], line: number) =>
    parts.map((part) => {
      const vertex = vertexOf(part, positions.count / 3, (words) => refuse(line, words));
      if (vertex > greatest) [greatest, greatestLine] = [vertex, line];
      return vertex;
    });
  for (const {words: [word, ...rest], line, end} of statements(text)) {
    if (tell && end - told > TOLD_CHARACTERS) {
      told = end;
      tell(end / text.length);
    }
    if (word === 'v') {
      if (rest.length < 3) refuse(line, 'a vertex has fewer than three coordinates');
      for (const part of rest.slice(0, 3)) {
        const number = Number(part);
        if (!Number.isFinite(number)) refuse(line, 'a coordinate is not a finite number');
        positions.push(number);
      }
    } else if (word === 'f') {
      const corners = cornersOf(rest, line);
      if (corners.length < 3) refuse(line, 'a face has fewer than three corners');
      pushFan(corners, triangles, polygons);
    } else if (word === 'l') {
      const corners = cornersOf(rest, line);
      for (let i = 1; i < corners.length; i++) pushAll(lines, corners[i - 1], corners[i]);
    }
  }
  const vertices = positions.count / 3;
  if (greatest >= vertices)
    refuse(greatestLine, 'a vertex index is greater than the number of vertices');
  const soup = {positions: positions.taken, triangles: triangles.taken, lines: lines.taken};
  return {...soup, uncut: cutFans(soup.positions, soup.triangles, polygons)};
}

interface Statement {
  readonly words: string[];
  readonly line: number;
  // Where it ends in the text.
  readonly end: number;
}

function* statements(text: string): Generator<Statement> {
  const ends = /\r\n|\n|\r|$/g;
  for (let from = 0, line = 1; from < text.length; line++) {
    const first = line;
    let row = '';
    let end = 0;
    for (;;) {
      ends.lastIndex = from;
      const found = ends.exec(text);
      end = found?.index ?? text.length;
      row += text.slice(from, end);
      from = end + Math.max(1, found?.[0].length ?? 1);
      // A backslash goes on in the next line.
      if (!row.endsWith('\\') || end >= text.length) break;
      row = `${row.slice(0, -1)} `;
      line++;
    }
    const comment = row.indexOf('#');
    const words = (comment < 0 ? row : row.slice(0, comment)).split(/[ \t\0]+/).filter(Boolean);
    if (words.length > 0) yield {words, line: first, end};
  }
}

function pushAll(to: Growing<Uint32Array>, ...values: (number | undefined)[]): void {
  for (const value of values) to.push(value ?? 0);
}

// 7, 7/1, 7//3 or 7/1/3, counted from 1; −1 is the last vertex so far.
function vertexOf(part: string, vertices: number, refuse: (words: string) => never): number {
  const slash = part.indexOf('/');
  const digits = slash < 0 ? part : part.slice(0, slash);
  if (!/^-?\d+$/.test(digits)) refuse('a vertex index is not a whole number');
  const number = Number(digits);
  if (number === 0) refuse('a vertex index is 0; they count from 1');
  if (-number > vertices) refuse('a negative vertex index reaches before the first vertex');
  return number < 0 ? vertices + number : number - 1;
}
