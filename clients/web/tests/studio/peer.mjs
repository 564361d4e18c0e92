// A client of the server that shares no code with the studio: MessagePack-RPC in binary frames of a WebSocket.
import {decode, encode} from '@msgpack/msgpack';
import {WebSocket} from 'ws';

const KINDS = {0x16: Uint32Array, 0x17: Float32Array, 0x18: Float64Array};

export class Peer {
  static async connect(url, user = 'Peer', token = undefined) {
    const peer = new Peer();
    peer.socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
    peer.waiting = new Map();
    peer.next = 1;
    peer.socket.on('message', (bytes) => peer.take(decode(bytes)));
    await new Promise((resolve, reject) => peer.socket.once('open', resolve).once('error', reject));
    await peer.call('session.hello', {errors: 'map', arrays: 'plain', client: 'test', user, ...(token && {token})});
    return peer;
  }

  call(method, params = {}) {
    const id = this.next++;
    this.socket.send(encode([0, id, method, [params]]));
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  close() {
    this.socket.close();
  }

  take([type, id, error, result]) {
    const waiting = type === 1 ? this.waiting.get(id) : undefined;
    if (!waiting) return;
    this.waiting.delete(id);
    if (error) waiting.reject(Object.assign(new Error(error.text), error));
    else waiting.resolve(result);
  }
}

// What body.state and body.get give as plain arrays or as bytes, as numbers.
export function numbers(value) {
  const Kind = KINDS[value?.type];
  return Kind ? Array.from(new Kind(value.data.slice().buffer)) : Array.from(value);
}
