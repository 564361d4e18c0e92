export function cube(): {positions: Float64Array; triangles: Uint32Array};
export function obj(): string;
export function asciiPly(options?: {faces?: boolean}): string;
export function binaryStl(): ArrayBuffer;
export function glb(options?: {version?: number; extension?: string}): ArrayBuffer;
export function gltfWithData(): string;
export function gltfWithData(options: {apart: boolean}): string | [string, ArrayBuffer];
