// Where a form's values come from and go to.
//
// A live binding sends each change at once and shows what the document says; a draft keeps the values until the
// form is sent. Both tell, for the path of a field ('stretch.compliance'), why the server refused it.
import {signal, type Signal} from '@preact/signals';

import type {WeftError} from '../../../lib/index.js';
import type {Outcome} from '../../model/outcome.js';
import {live, type Live} from './live.js';

export type Values = Readonly<Record<string, unknown>>;

export interface Binding {
  value(path: string): unknown;
  give(path: string, value: unknown): void;
  // Back to what the document says, or to absent.
  forget(path: string): void;
  error(path: string): string | undefined;
  // The refusal of that field, or of one inside it.
  refusal(path: string): WeftError | undefined;
  waits(path: string): boolean;
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

// The words of the server, without the path that the reader sees beside them.
export function wordsAt(error: WeftError, path: string): string {
  const leaf = path.slice(path.lastIndexOf('.') + 1);
  for (const start of [path, leaf]) {
    if (error.text.startsWith(`${start}: `)) return error.text.slice(start.length + 2);
  }
  return error.text;
}

// What a form must say itself of a refusal: all that none of its fields (`shown`, by their first names) says beside it.
export function unsaid(error: WeftError | null, shown: readonly string[]): string {
  const [first = ''] = (error?.field ?? '').split('.');
  return error && !shown.includes(first) ? error.text : '';
}

export type Give = (patch: Values) => Promise<Outcome<unknown>>;

export class LiveBinding implements Binding {
  private readonly fields = new Map<string, Live<unknown>>();

  constructor(
    private source: () => Values | undefined,
    private send: Give,
  ) {}

  // The functions belong to what is shown now; the drafts stay.
  refresh(source: () => Values | undefined, send: Give): this {
    this.source = source;
    this.send = send;
    return this;
  }

  value(path: string): unknown {
    const draft = this.field(path).draft.value;
    return draft === undefined ? at(this.source(), path) : draft;
  }

  give(path: string, value: unknown): void {
    this.field(path).give(value);
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

  private field(path: string): Live<unknown> {
    let field = this.fields.get(path);
    if (!field) {
      field = live<unknown>(() => (value) => this.send(patch(path, value)));
      this.fields.set(path, field);
    }
    return field;
  }
}

// Live bindings by what they edit, so that what was typed outlives the panel that it was typed in.
const bindings = new Map<string, LiveBinding>();
const KEPT = 64;

export function bindingOf(key: string, source: () => Values | undefined, send: Give): LiveBinding {
  let binding = bindings.get(key);
  if (binding) return binding.refresh(source, send);
  if (bindings.size >= KEPT) {
    for (const [old, idle] of bindings) if (idle.idle) bindings.delete(old);
  }
  binding = new LiveBinding(source, send);
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

  constructor(start: Values) {
    this.values = signal(start);
  }

  value(path: string): unknown {
    return at(this.values.value, path);
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
}
