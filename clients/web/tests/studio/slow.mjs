// A TCP way to a server that is as bad as it is told to be: a delay each way, jitter on top, so many bytes a second
// towards the page, and cut when a test says so. No byte overtakes another; who fills the way has to wait.
import net from 'node:net';

// Bytes on the way at a time, as a router would hold them.
const HELD_MAX = 128 * 1024;

function carry(from, into, {delayMs, jitterMs, bytesPerSecond}) {
  const held = [];
  let bytesHeld = 0;
  let free = 0;
  let last = 0;
  let timer = null;
  const pass = () => {
    timer = null;
    const now = performance.now();
    while (held.length > 0 && held[0].due <= now) {
      const {bytes} = held.shift();
      bytesHeld -= bytes.length;
      if (!into.destroyed) into.write(bytes);
    }
    if (bytesHeld < HELD_MAX) from.resume();
    if (held.length > 0) timer = setTimeout(pass, Math.max(1, held[0].due - now));
  };
  from.on('data', (bytes) => {
    const now = performance.now();
    free = Math.max(now, free) + (1000 * bytes.length) / bytesPerSecond;
    last = Math.max(last, free + delayMs + jitterMs * Math.random());
    held.push({bytes, due: last});
    bytesHeld += bytes.length;
    if (bytesHeld >= HELD_MAX) from.pause();
    timer ??= setTimeout(pass, Math.max(1, held[0].due - now));
  });
  from.on('error', () => undefined);
  from.on('close', () => {
    clearTimeout(timer);
    into.destroy();
  });
}

// address: that of the server, 'HOST:PORT'.
export async function slowWay(address, {delayMs = 0, jitterMs = 0, bytesPerSecond = Infinity} = {}) {
  const colon = address.lastIndexOf(':');
  const sockets = new Set();
  const server = net.createServer((near) => {
    const far = net.connect({host: address.slice(0, colon), port: Number(address.slice(colon + 1))});
    near.setNoDelay();
    far.setNoDelay();
    sockets.add(near);
    near.on('close', () => sockets.delete(near));
    carry(near, far, {delayMs, jitterMs, bytesPerSecond: Infinity});
    carry(far, near, {delayMs, jitterMs, bytesPerSecond});
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    // All connections at once, without a word.
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
