// The library over TLS: in Node, with `ws`, which looks at the server's certificate.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect} from '../../src/lib/index.js';
import type {Frame} from '../../src/lib/index.js';
import {cloth, until, WEFTD, Weftd} from './weftd.js';

describe.skipIf(WEFTD === '')('over TLS', () => {
  let folder: string;
  let server: Weftd;
  let ca: Buffer;
  const file = (name: string) => join(folder, name);

  /** A certificate that vouches for itself. */
  function issue(name: string, alternatives: string): void {
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', `/CN=${name}`]
        .concat(['-addext', `subjectAltName=${alternatives}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]),
      {stdio: 'ignore'},
    );
  }

  class Trusting extends WebSocket {
    constructor(url: string) {
      super(url, {ca});
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-tls-'));
    issue('server', 'DNS:localhost,IP:127.0.0.1');
    ca = readFileSync(file('server.pem'));
    server = await Weftd.start('127.0.0.1:0', '--tls-cert', file('server.pem'), '--tls-key', file('server.key'));
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, {recursive: true, force: true});
  });

  it('calls, and shows frames', async () => {
    expect(server.url).toMatch(/^wss:/);
    const client = connect({url: server.url, WebSocket: Trusting, client: 'tls test'});
    const {world} = await client.call('world.create', {name: 'tls'});
    await client.call('body.add', {world, ...cloth(60)});
    const frames: Frame[] = [];
    await client.subscribe({world}, (frame) => frames.push(frame));
    await client.call('world.play', {world});
    await until(() => frames.length > 5, 'frames');
    expect(frames.at(-1)!.bodies.length).toBe(1);
    client.close();
  });

  it('does not connect to a server that nobody vouches for, or under another name', async () => {
    const unknown = connect({url: server.url, WebSocket, reconnect: false});
    await expect(unknown.call('server.ping')).rejects.toThrow(/certificate/);
    issue('elsewhere', 'DNS:elsewhere.example.org');
    const elsewhere = await Weftd.start('127.0.0.1:0', '--tls-cert', file('elsewhere.pem'), '--tls-key', file('elsewhere.key'));
    ca = readFileSync(file('elsewhere.pem'));
    try {
      const client = connect({url: elsewhere.url, WebSocket: Trusting, reconnect: false});
      await expect(client.call('server.ping')).rejects.toThrow(/altnames|certificate/);
    } finally {
      await elsewhere.stop();
    }
  });
});
