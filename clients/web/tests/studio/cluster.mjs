// Servers that share worlds by a broker of NATS, of the program that WEFT_NATS_SERVER names.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {startServer} from './server.mjs';

const {WEFTD, WEFT_STUDIO_DIR, WEFT_NATS_SERVER} = process.env;
// Ends what hangs.
const START_MS = 60_000;

// None: there is no such program.
export const hasBroker = Boolean(WEFT_NATS_SERVER);

async function freePort() {
  const held = net.createServer();
  await new Promise((resolve) => held.listen(0, '127.0.0.1', resolve));
  const {port} = held.address();
  await new Promise((resolve) => held.close(resolve));
  return port;
}

async function listens(port, child) {
  const end = Date.now() + START_MS;
  for (;;) {
    const found = await new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (found) return;
    if (child.exitCode !== null || Date.now() > end) throw new Error('the broker does not listen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// Each with a folder of its own; and all end with the process, whatever becomes of the test.
export async function startCluster(...names) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-page-'));
  const port = await freePort();
  const config = join(folder, 'conf');
  writeFileSync(
    config,
    `listen: "127.0.0.1:${port}"\n` +
      `jetstream { store_dir: "${join(folder, 'broker')}", sync_interval: always }\n` +
      'accounts { $SYS { users: [ {user: sys, password: pw} ] } }\n',
  );
  const broker = spawn(WEFT_NATS_SERVER, ['-c', config], {stdio: 'ignore'});
  const servers = [];
  const kill = () => {
    broker.kill('SIGKILL');
    servers.forEach((server) => server.stop('SIGKILL'));
  };
  process.once('exit', kill);
  const ended = new Promise((resolve) => broker.once('exit', resolve));
  const close = async () => {
    process.off('exit', kill);
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    broker.kill('SIGKILL');
    await ended;
    rmSync(folder, {recursive: true, force: true});
  };
  try {
    await listens(port, broker);
    const store = ['--store', `nats://127.0.0.1:${port}`, '--store-check', `nats://sys:pw@127.0.0.1:${port}`];
    for (const name of names) {
      const more = [...store, '--server-name', name];
      servers.push({name, ...(await startServer({weftd: WEFTD, studio: WEFT_STUDIO_DIR, data: join(folder, name), more}))});
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {servers, close};
}
