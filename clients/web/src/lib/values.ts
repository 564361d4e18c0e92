// Values as they go over the wire.

/** An id (an integer from 1) or a name. */
export type Ref = number | string;

/** A value for an array of numbers: a plain array, or a typed one, whose bytes are sent as they are. */
export type Numbers = ArrayLike<number>;

/** An edit with its parameters, without `world`. */
export type Call = readonly [method: string, params: Readonly<Record<string, unknown>>];

export type Vec3 = readonly [number, number, number];
export type Vec4 = readonly [number, number, number, number];

/** A typed array that a message may hold; bytes are bin on the wire, or ext 0x12. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
