// What crosses between a page and the worker of its server, besides messages of the protocol, which are ArrayBuffers.

export type ToWorker =
  | ArrayBuffer
  | {readonly kind: 'start'; readonly module: WebAssembly.Module}
  | {readonly kind: 'connect'}
  | {readonly kind: 'disconnect'}
  /** Messages that were looked at since the last time. */
  | {readonly kind: 'taken'; readonly count: number};

export type ToPage =
  | ArrayBuffer
  | {readonly kind: 'connected'}
  | {readonly kind: 'closed'; readonly code: number; readonly reason: string}
  | {readonly kind: 'broken'; readonly text: string};
