// The worker that a page's server lives in. messages.ts says what crosses.
import type {ToPage, ToWorker} from './messages.js';
import {LocalServer} from './server.js';

const page = self as unknown as {
  postMessage(message: ToPage, transfer: Transferable[]): void;
  onmessage: ((event: {data: ToWorker}) => void) | null;
};

function tell(message: ToPage): void {
  page.postMessage(message, message instanceof ArrayBuffer ? [message] : []);
}

let server: LocalServer | null = null;

function start(module: WebAssembly.Module): void {
  server = new LocalServer(module, {
    message: tell,
    closed: (code, reason) => tell({kind: 'closed', code, reason}),
    broken: (text) => tell({kind: 'broken', text}),
  });
}

page.onmessage = ({data}) => {
  if (data instanceof ArrayBuffer) {
    server?.receive(new Uint8Array(data));
  } else if (data.kind === 'taken') {
    server?.taken(data.count);
  } else if (data.kind === 'connect') {
    server?.connect();
    tell({kind: 'connected'});
  } else if (data.kind === 'disconnect') {
    server?.disconnect();
  } else {
    start(data.module);
  }
};
