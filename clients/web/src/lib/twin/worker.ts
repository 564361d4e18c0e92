// A worker that runs one twin: `openTwin` talks to it.
import {Runner, type Tells, type Told} from './runner.js';

// What of a worker's scope is needed: this is compiled with the types of pages.
const scope = globalThis as unknown as {
  onmessage: ((event: {readonly data: Told}) => void) | null;
  postMessage(tells: Tells, moved: Transferable[]): void;
};

const runner = new Runner((tells, moved) => scope.postMessage(tells, moved));
scope.onmessage = ({data}) => runner.hear(data);
