// The address to connect to.

/**
 * The address of a WebSocket. ws: and wss: are kept; http: and https: become ws: and wss:. Without a path it gets /ws.
 * In a page it may be relative to the page.
 */
export function socketAddress(url: string, base: string | undefined = globalThis.location?.href): string {
  let address: URL;
  try {
    address = new URL(url, base);
  } catch {
    throw new TypeError(`connect: "${url}" is no address; ws://HOST:PORT/ws is meant`);
  }
  const secure = {'ws:': false, 'http:': false, 'wss:': true, 'https:': true}[address.protocol];
  if (secure === undefined) {
    throw new TypeError(`connect: "${url}" begins with ${address.protocol}; ws: or wss: is meant`);
  }
  address.protocol = secure ? 'wss:' : 'ws:';
  address.hash = '';
  if (address.pathname === '/') {
    address.pathname = '/ws';
  }
  return address.href;
}
