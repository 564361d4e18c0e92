// The error of a call, in one shape.
import type {ErrorCode, UndoOverwritten} from './api.generated.js';

/**
 * Codes of the library itself. LOST: there is no connection, or it was lost before the answer came (then the call may
 * or may not have been carried out). CLOSED: close() was called, or the server refused this client for good. VERSION:
 * the server is too new for this library. LATER: a machine's world needs weft-machine-full.wasm.
 */
export type LocalCode = 'LOST' | 'CLOSED' | 'VERSION' | 'LATER';

export interface ErrorFields {
  kind: number;
  code: string;
  text: string;
  field?: string | undefined;
  value?: string | undefined;
  revision?: number | undefined;
  user?: string | undefined;
  limit?: number | undefined;
  changes?: readonly UndoOverwritten[] | undefined;
  server?: string | undefined;
  address?: string | undefined;
  web?: string | undefined;
}

/** A refusal, or a lost connection. `message` is the text, in the server's words. */
export class WeftError extends Error {
  override readonly name = 'WeftError';
  /** 0: the server failed, or cannot be reached; 1: the caller made a mistake. */
  readonly kind: number;
  /** A word for programs. A later server may have more of them; then use `kind`. */
  readonly code: ErrorCode | LocalCode | (string & {});
  /** For people. */
  readonly text: string;
  /** The field at fault, as a path: 'stretch.compliance'. */
  readonly field: string | undefined;
  /** The value at fault, as text. */
  readonly value: string | undefined;
  /** Revision of the world at which a conflict was found. */
  readonly revision: number | undefined;
  /** The person whose edit is in the way. */
  readonly user: string | undefined;
  /** The limit that would be exceeded. */
  readonly limit: number | undefined;
  /** With CONFLICT of an undo or redo: the later changes in the way, of each field the last one. Else empty. */
  readonly changes: readonly UndoOverwritten[];
  /** With MOVED: the server that runs the world, its address for programs, and its address for browsers; empty: none. */
  readonly server: string | undefined;
  readonly address: string | undefined;
  readonly web: string | undefined;
  /** The method that was called, if it was a call. */
  readonly method: string | undefined;

  constructor(fields: ErrorFields, method?: string) {
    super(fields.text);
    this.kind = fields.kind;
    this.code = fields.code;
    this.text = fields.text;
    this.field = fields.field;
    this.value = fields.value;
    this.revision = fields.revision;
    this.user = fields.user;
    this.limit = fields.limit;
    this.changes = fields.changes ?? [];
    this.server = fields.server;
    this.address = fields.address;
    this.web = fields.web;
    this.method = method;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The error of an answer, in either form: [kind, "CODE: text"], or the map that session.hello asks for. */
export function errorOf(value: unknown, method?: string): WeftError {
  if (Array.isArray(value) && isText(value[1])) {
    const [, code, text] = /^([A-Z][A-Z_]*): ([^]*)$/.exec(value[1]) ?? [null, 'INTERNAL', value[1]];
    return new WeftError({kind: value[0] === 1 ? 1 : 0, code, text}, method);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const map = value as Record<string, unknown>;
    if (isText(map['code']) && isText(map['text'])) {
      const text = (name: string) => (isText(map[name]) ? map[name] : undefined);
      const number = (name: string) => (typeof map[name] === 'number' ? map[name] : undefined);
      return new WeftError(
        {
          kind: map['kind'] === 1 ? 1 : 0,
          code: map['code'],
          text: map['text'],
          field: text('field'),
          value: text('value'),
          revision: number('revision'),
          user: text('user'),
          limit: number('limit'),
          changes: Array.isArray(map['changes']) ? (map['changes'] as UndoOverwritten[]) : [],
          server: text('server'),
          address: text('address'),
          web: text('web'),
        },
        method,
      );
    }
  }
  return new WeftError({kind: 0, code: 'INTERNAL', text: 'an error in a shape that is not known'}, method);
}
