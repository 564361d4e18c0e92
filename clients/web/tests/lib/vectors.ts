// The vectors of tests/wire (its README says what they are).
import {readFileSync} from 'node:fs';

export interface Vector {
  readonly name: string;
  readonly hex: string;
  readonly [key: string]: any;
}

export function vectors(file: string, list: string): Vector[] {
  const url = new URL(`../../../../tests/wire/${file}.json`, import.meta.url);
  const found: Vector[] = JSON.parse(readFileSync(url, 'utf8'))[list];
  if (found.length === 0) {
    throw new Error(`${file}.json: ${list} is empty`);
  }
  return found;
}

/** Bytes in an ArrayBuffer of their own, as a WebSocket delivers them. */
export function bytesOf(hex: string): ArrayBuffer {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  }
  return bytes.buffer;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const WORDS: Readonly<Record<string, number>> = {NaN: NaN, inf: Infinity, '-inf': -Infinity};

/** Numbers that JSON cannot hold are written as words. */
export function numbersOf(list: readonly (number | string)[]): number[] {
  return list.map((one) => (typeof one === 'string' ? WORDS[one]! : one));
}
