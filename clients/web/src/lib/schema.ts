// The types of the tables in api.generated.ts, which describe a form for any method.

export type FieldType =
  | 'bool'
  | 'u32'
  | 'u64'
  | 'float'
  | 'string'
  | 'enum'
  | 'flags'
  | 'ref'
  | 'vec3'
  | 'vec4'
  | 'number[]'
  | 'u32[]'
  | 'f32[]'
  | 'f64[]'
  | 'map'
  | 'list'
  | 'any'
  | 'calls'
  | 'answers';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Name in TYPES of a map's type, or of the type of a list's members. */
  readonly of?: string;
  /** The values of an enum, or the flags of a list. */
  readonly values?: readonly string[];
  readonly required?: boolean;
  /** Leaving the field out has a meaning of its own (in the doc), even if its members have defaults. */
  readonly optional?: boolean;
  readonly default?: unknown;
  /** SI, in ASCII: 'm/s^2'. '[C]' stands for the unit of the constraint's C. */
  readonly unit?: string;
  readonly min?: number;
  /** The least value itself is not allowed. */
  readonly exclusiveMin?: boolean;
  // min and max apply to a world with the default resolution; a coarser one widens them in proportion.
  readonly scaled?: boolean;
  readonly max?: number;
  /** The length of an array is a multiple of this. */
  readonly multiple?: number;
  /** Greatest number of items of a list. */
  readonly most?: number;
  /** One number may stand for all. */
  readonly scalar?: boolean;
  /** A name: bounded in bytes (LIMITS.name_bytes), no control characters. */
  readonly nameLike?: boolean;
  /** A map whose absent fields keep their values, instead of taking their defaults. */
  readonly partial?: boolean;
  readonly doc: string;
}

/** A kind of constraint. Units are written as those of fields. */
export interface KindInfo {
  readonly name: string;
  /** Of one constraint. */
  readonly particles: number;
  /** The part of a body that has constraints of this kind, and whose material they follow. */
  readonly part: 'stretch' | 'bend' | 'volume' | 'solid';
  /**
   * The measure of its particles that C compares with the rest value. A fold is an angle that rests flat, a path runs
   * through the middle particle, a gap is between two points that weights make of the particles, and off is how far the first
   * particle is from a rail, of which the others are the ends. A segment and a joint of a rod compare orientations.
   */
  readonly c: 'length' | 'angle' | 'fold' | 'volume' | 'gap' | 'path' | 'off' | 'strain' | 'segment' | 'joint';
  /** Of C, and what follows from it. The unit of a rest value is null if the kind takes none. */
  readonly unit: string;
  readonly rest: string | null;
  readonly compliance: string;
  readonly damping: string;
  readonly force: string;
  /** How far a constraint is from rest, as people are told. */
  readonly told: {
    /** In proportion to the rest value, with the unit '1', or in `unit`. */
    readonly as: 'relative' | 'absolute';
    readonly unit: string;
    /** Absent if world.measure does not tell it: its name, a sentence, and the fields of its greatest value and its root mean square. */
    readonly error?: {readonly name: string; readonly doc: string; readonly max: string; readonly rms: string};
  };
  /** How a person is shown it: a color, the value of `told` that has the full color, and the ranges of sliders. */
  readonly shown: {
    readonly color: string;
    readonly full: number;
    readonly compliance: readonly [number, number];
    readonly damping: readonly [number, number];
  };
}

export type MethodClass = 'server' | 'query' | 'edit' | 'input' | 'control';

export interface MethodInfo {
  readonly name: string;
  readonly class: MethodClass;
  readonly role: 'anyone' | 'viewer' | 'editor' | 'owner' | 'admin';
  /** Its calls are records of the world: they change its future. */
  readonly record: boolean;
  readonly since: number;
  readonly doc: string;
  readonly params: readonly Field[];
  readonly result: readonly Field[];
}

export interface NotificationInfo {
  readonly name: string;
  readonly since: number;
  readonly doc: string;
  readonly params: readonly Field[];
}

export interface TypeInfo {
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly Field[];
}

export interface ErrorInfo {
  /** 0: the server failed; 1: the caller made a mistake. */
  readonly kind: 0 | 1;
  readonly doc: string;
}

export interface LimitInfo {
  readonly value: number;
  readonly unit?: string;
  readonly doc: string;
}
