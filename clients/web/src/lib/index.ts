// weft-sim: the library. It exports everything that a page or a Node program needs.
export {connect} from './client.js';
export {loadCodec} from './codec.js';
export type {Codec, CodecDecoder, CodecTopology} from './codec.js';
export {WeftError} from './error.js';
export type {ErrorFields, LocalCode} from './error.js';
export {loadMachine, machineOf, serveMachine} from './machine.js';
export type {Machine, MachineArrays, MachineBody, MachineKind, MachineMember, MachineModule, MachineParts, Settings} from './machine.js';
export type {ModuleSource} from './module.js';
export {openTwin} from './twin/twin.js';
export type {HandPoint} from './twin/ahead.js';
export type {Twin, TwinHand, TwinOptions, TwinWorker} from './twin/twin.js';
export type * from './twin/types.js';
export * from './api.generated.js';
export type * from './schema.js';
export type * from './types.js';
export type * from './values.js';
