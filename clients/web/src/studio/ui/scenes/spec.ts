// An object of a scene, asked for its members; what is wrong with one is said with its place: 'bodies[0].grid.cells'.
export class SceneError extends Error {}

export function refuse(place: string, words: string): never {
  throw new SceneError(place === '' ? words : `${place}: ${words}`);
}

export type Json = null | boolean | number | string | readonly Json[] | {readonly [key: string]: Json};
type JsonObject = {readonly [key: string]: Json};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const VECTOR_MOST = 1e12;

export class Spec {
  readonly place: string;
  private readonly object: JsonObject;

  constructor(value: Json | undefined, place: string, members?: readonly string[]) {
    this.place = place;
    if (!isObject(value)) refuse(place, 'must be an object');
    this.object = value;
    if (members) this.check(members);
  }

  get names(): readonly string[] {
    return Object.keys(this.object);
  }

  check(members: readonly string[]): void {
    const unknown = this.names.find((name) => !members.includes(name));
    if (unknown !== undefined) refuse(this.place, `has "${unknown.slice(0, 60)}", which is no field of it`);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name);
  }

  get(name: string): Json | undefined {
    return this.has(name) ? this.object[name] : undefined;
  }

  at(name: string): string {
    return this.place === '' ? name : `${this.place}.${name}`;
  }

  inner(name: string, members?: readonly string[]): Spec {
    return new Spec(this.get(name), this.at(name), members);
  }

  list(name: string): readonly Json[] {
    const value = this.get(name) ?? [];
    if (!Array.isArray(value)) refuse(this.at(name), 'must be a list');
    return value as readonly Json[];
  }

  number(name: string, least: number, most: number, otherwise: number): number {
    const value = this.get(name) ?? otherwise;
    if (typeof value !== 'number' || !(value >= least && value <= most))
      refuse(this.at(name), `must be a number from ${least} to ${most}`);
    return value;
  }

  whole(name: string, least: number, most: number, otherwise: number): number {
    return wholeOf(this.get(name) ?? otherwise, this.at(name), least, most);
  }

  wholes(name: string, count: number, most: number): number[] {
    const value = this.get(name);
    if (!Array.isArray(value) || value.length !== count)
      refuse(this.at(name), `must be a list of ${count} whole numbers`);
    return (value as readonly Json[]).map((one) => wholeOf(one, this.at(name), 1, most));
  }

  vector(name: string, count: number, otherwise: readonly number[]): readonly number[] {
    return this.has(name) ? vectorOf(this.get(name), this.at(name), count) : otherwise;
  }

  // Lengths of sides.
  sizes(count: number): readonly number[] {
    const size = this.vector('size', count, Array<number>(count).fill(1));
    if (!size.every((one) => one >= 1e-6 && one <= 1e6))
      refuse(this.at('size'), 'must be numbers from 1e-06 to 1e+06');
    return size;
  }

  text(name: string): string {
    const value = this.get(name) ?? '';
    if (typeof value !== 'string') refuse(this.at(name), 'must be a text');
    return value;
  }
}

export function wholeOf(value: Json | undefined, place: string, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    refuse(place, `must be a whole number from ${least} to ${most}`);
  return value;
}

export function vectorOf(value: Json | undefined, place: string, count: number): readonly number[] {
  const right =
    Array.isArray(value) &&
    value.length === count &&
    value.every((one) => typeof one === 'number' && Math.abs(one) <= VECTOR_MOST);
  if (!right) refuse(place, `must be a list of ${count} numbers`);
  return value as readonly number[];
}
