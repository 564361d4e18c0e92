// Where a form's values come from and go to.
//
// A live binding sends each change at once and shows what the document says, of one thing or of several; a draft keeps
// the values until the form is sent. Both tell, for the path of a field ('stretch.compliance'), why the server refused
// it.
import {signal, type Signal} from '@preact/signals';

import type {WeftError} from '../../../lib/index.js';
import type {Outcome} from '../../model/outcome.js';
import {plainly, plainWords} from '../errors.js';
import {live, type Live} from './live.js';

export type Values = Readonly<Record<string, unknown>>;

// A new value that goes by what a thing has: of several with different places, one coordinate alone.
export type Change = (own: unknown) => unknown;

export interface Binding {
  // Of the first thing.
  value(path: string): unknown;
  // Of each thing, where they are several.
  each(path: string): readonly unknown[];
  give(path: string, value: unknown): void;
  change(path: string, change: Change): void;
  // Back to what the document says, or to absent.
  forget(path: string): void;
  error(path: string): string | undefined;
  // The refusal of that field, or of one inside it.
  refusal(path: string): WeftError | undefined;
  waits(path: string): boolean;
  // Something that cannot be taken is being typed there; the form is not to be sent meanwhile.
  hold?(path: string, held: boolean): void;
}

export function at(values: Values | undefined, path: string): unknown {
  let found: unknown = values;
  for (const key of path.split('.')) {
    if (found === null || typeof found !== 'object') return undefined;
    found = (found as Values)[key];
  }
  return found;
}

// {a: {b: value}} of 'a.b'.
export function patch(path: string, value: unknown): Values {
  return path
    .split('.')
    .reverse()
    .reduce<unknown>((inner, key) => ({[key]: inner}), value) as Values;
}

export function withValue(values: Values, path: string, value: unknown): Values {
  const [key = '', ...rest] = path.split('.');
  const next = {...values};
  if (rest.length > 0)
    next[key] = withValue((values[key] as Values | undefined) ?? {}, rest.join('.'), value);
  else if (value === undefined) delete next[key];
  else next[key] = value;
  return next;
}

function within(path: string, field: string): boolean {
  return field === path || field.startsWith(`${path}.`);
}

// The words of the server in plain ones, without the path that the reader sees beside them.
export function wordsAt(error: WeftError, path: string): string {
  const leaf = path.slice(path.lastIndexOf('.') + 1);
  for (const start of [path, leaf]) {
    if (error.text.startsWith(`${start}: `)) return plainly(null, error.text.slice(start.length + 2));
  }
  return plainWords(null, error.text);
}

// What a form must say itself of a refusal: all that none of its fields (`shown`, by their first names) says beside it.
export function unsaid(error: WeftError | null, shown: readonly string[]): string {
  const [first = ''] = (error?.field ?? '').split('.');
  return error && !shown.includes(first) ? plainWords(null, error.text) : '';
}

// A patch for each thing, in the order of the sources.
export type Give = (patches: readonly Values[]) => Promise<Outcome<unknown>>;
// What the things have, one map each; none while it is not known.
export type Sources = () => readonly (Values | undefined)[];

// Calls one by one, until the first refusal.
export async function inTurn(calls: readonly (() => Promise<Outcome<unknown>>)[]): Promise<Outcome<unknown>> {
  let last: Outcome<unknown> = {ok: true, result: null};
  for (const call of calls) {
    last = await call();
    if (!last.ok) break;
  }
  return last;
}

export class LiveBinding implements Binding {
  private readonly fields = new Map<string, Live<Change>>();

  constructor(
    private sources: Sources,
    private send: Give,
  ) {}

  // The functions belong to what is shown now; the drafts stay.
  refresh(sources: Sources, send: Give): this {
    this.sources = sources;
    this.send = send;
    return this;
  }

  value(path: string): unknown {
    return this.each(path)[0];
  }

  each(path: string): readonly unknown[] {
    const draft = this.field(path).draft.value;
    const things = this.things().map((thing) => at(thing, path));
    return draft === undefined ? things : things.map(draft);
  }

  give(path: string, value: unknown): void {
    this.change(path, () => value);
  }

  change(path: string, change: Change): void {
    this.field(path).give(change);
  }

  forget(path: string): void {
    this.field(path).forget();
  }

  error(path: string): string | undefined {
    const error = this.field(path).error.value;
    return error ? wordsAt(error, path) : undefined;
  }

  refusal(path: string): WeftError | undefined {
    for (const [name, field] of this.fields) {
      const error = within(path, name) ? field.error.value : null;
      if (error) return error;
    }
    return undefined;
  }

  waits(path: string): boolean {
    return this.field(path).waitsForConnection.value;
  }

  resume(): void {
    for (const field of this.fields.values()) field.resume();
  }

  get idle(): boolean {
    return [...this.fields.values()].every((field) => field.draft.peek() === undefined);
  }

  private things(): readonly (Values | undefined)[] {
    const things = this.sources();
    return things.length > 0 ? things : [undefined];
  }

  private field(path: string): Live<Change> {
    let field = this.fields.get(path);
    if (!field) {
      field = live<Change>(
        () => (change) => this.send(this.things().map((thing) => patch(path, change(at(thing, path))))),
      );
      this.fields.set(path, field);
    }
    return field;
  }
}

// Live bindings by what they edit, so that what was typed outlives the panel that it was typed in.
const bindings = new Map<string, LiveBinding>();
const KEPT = 64;

export function bindingOf(key: string, sources: Sources, send: Give): LiveBinding {
  let binding = bindings.get(key);
  if (binding) return binding.refresh(sources, send);
  if (bindings.size >= KEPT) {
    for (const [old, idle] of bindings) if (idle.idle) bindings.delete(old);
  }
  binding = new LiveBinding(sources, send);
  bindings.set(key, binding);
  return binding;
}

// To be called when a world was read again, with its name: the keys of what belongs to it begin with it.
export function resumeAll(world: string): void {
  const start = worldKey(world);
  for (const [key, binding] of bindings) {
    if (key.startsWith(start)) binding.resume();
  }
}

// A world goes by its name: after a crash of the server its number may be another's.
export function worldKey(world: string): string {
  return `${JSON.stringify(world)} `;
}

export class Draft implements Binding {
  readonly values: Signal<Values>;
  readonly refused: Signal<WeftError | null> = signal(null);
  // Fields in which something stands that cannot be taken.
  readonly held: Signal<ReadonlySet<string>> = signal(new Set());

  constructor(start: Values) {
    this.values = signal(start);
  }

  value(path: string): unknown {
    return at(this.values.value, path);
  }

  each(path: string): readonly unknown[] {
    return [this.value(path)];
  }

  change(path: string, change: Change): void {
    this.give(path, change(this.value(path)));
  }

  give(path: string, value: unknown): void {
    this.values.value = withValue(this.values.peek(), path, value);
    if (this.refused.peek()?.field === path) this.refused.value = null;
  }

  forget(path: string): void {
    this.give(path, undefined);
  }

  error(path: string): string | undefined {
    const error = this.refused.value;
    return error?.field === path ? wordsAt(error, path) : undefined;
  }

  refusal(path: string): WeftError | undefined {
    const error = this.refused.value;
    return error && within(path, error.field ?? '') ? error : undefined;
  }

  waits(): boolean {
    return false;
  }

  hold(path: string, held: boolean): void {
    if (this.held.peek().has(path) === held) return;
    const next = new Set(this.held.peek());
    if (held) next.add(path);
    else next.delete(path);
    this.held.value = next;
  }
}
