// weft-sim: the library. Everything a page or a Node program needs is exported here.
export {connect} from './client.js';
export {loadCodec} from './codec.js';
export type {Codec, CodecDecoder, CodecTopology} from './codec.js';
export {WeftError} from './error.js';
export type {ErrorFields, LocalCode} from './error.js';
export {loadMachine} from './machine.js';
export type {Machine, MachineBody, MachineKind, MachineModule} from './machine.js';
export * from './api.generated.js';
export type * from './schema.js';
export type * from './types.js';
export type * from './values.js';
