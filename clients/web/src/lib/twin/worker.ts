// A worker that runs one twin for `openTwin`. Other workers of this file take part in its ticks.
import {serveMachine, type MachineMember} from '../machine.js';
import {Runner, type Tells, type Told} from './runner.js';

// The needed part of a worker's scope; this file is compiled with the types of pages.
const scope = globalThis as unknown as {
  readonly location: {readonly href: string};
  onmessage: ((event: {readonly data: Told | MachineMember}) => void) | null;
  postMessage(tells: Tells, moved: Transferable[]): void;
  close(): void;
};

const hire = (member: MachineMember) => new Worker(scope.location.href, {type: 'module'}).postMessage(member);
const runner = new Runner((tells, moved) => scope.postMessage(tells, moved), hire);
scope.onmessage = ({data}) => {
  if ('kind' in data) {
    runner.hear(data);
  } else {
    serveMachine(data);
    scope.close();
  }
};
