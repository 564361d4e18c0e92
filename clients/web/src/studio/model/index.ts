// The model: what the server has, as signals, and every verb as a function. Free of three.js and of the page, so
// that view/ and ui/ both stand on it, and tests run it in Node.
export * from './access.js';
export * from './app.js';
export * from './bodies.js';
export * from './channels.js';
export * from './commands.js';
export * from './document.js';
export {Frames} from './frames.js';
export {applyEdit, mergeCollider, mergeMaterial, mergeWind, type ThingKey} from './edits.js';
export * from './hold.js';
export * from './latest.js';
export * from './notices.js';
export * from './outcome.js';
export * from './past/beside.js';
export * from './people.js';
export * from './past/edits.js';
export * from './past/past.js';
export * from './past/strip.js';
export * from './recorder.js';
export {Ring} from './ring.js';
export * from './scrubber.js';
export * from './selection.js';
export * from './session.js';
export * from './table.js';
export * from './values.js';
export * from './viewstate.js';
export * from './worlds.js';
export type {Constraints} from './constraints.js';
