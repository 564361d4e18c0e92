// The lines that the page offers for programs, run as they stand there, against a server.
//
// PYTHON names a Python that has numpy and msgpack; WEFT_CLIENT_DIR the built package of JavaScript.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, type Client} from '../../src/lib/index.js';
import {LANGUAGES, snippet, type Place} from '../../src/studio/ui/connect/snippets.js';
import {cloth, Weftd, WEFTD} from '../lib/weftd.js';

const WEFT = process.env['WEFT'] ?? '';
const PYTHON = process.env['PYTHON'] ?? 'python3';
const JS = process.env['WEFT_CLIENT_DIR'] ?? '';
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const libweft = join(dirname(dirname(WEFTD)), 'clients', 'c', 'libweft.a');
const suite = WEFTD === '' || WEFT === '' ? describe.skip : describe;
const works = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;

// A name that each language has to quote.
const WORLD = `Ann's "flag" \\ 1`;

let server: Weftd;
let client: Client;
let folder: string;
let token: string;
let place: Place;

function run(program: string, words: readonly string[]): string {
  const env = {...process.env, WEFT_TOKEN: token, PATH: `${dirname(WEFT)}:${process.env['PATH']}`, PYTHONPATH: join(root, 'clients/python/src')};
  return execFileSync(program, [...words], {cwd: folder, env, encoding: 'utf8'});
}

suite('lines for programs', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-lines-'));
    const data = join(folder, 'data');
    token = execFileSync(WEFTD, ['--data', data, '--token-new', 'root'], {encoding: 'utf8'}).trim();
    server = await Weftd.start('127.0.0.1:0', '--data', data, '--tokens');
    client = connect({url: server.url, client: 'test', token, WebSocket});
    await client.call('world.create', {name: WORLD});
    await client.call('body.add', {world: WORLD, name: 'sheet', ...cloth(4)});
    await client.call('world.step', {world: WORLD, ticks: 3});
    place = {world: WORLD, address: server.tcp, url: server.url, needsToken: true};
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    rmSync(folder, {recursive: true});
  });

  it.skipIf(!works(PYTHON, '-c', 'import numpy, msgpack'))('Python', () => {
    const told = run(PYTHON, ['-c', snippet('Python', place)]);
    expect(told).toMatch(/^paused at tick 3\nbody 1 has its middle at \[/);
  });

  it.skipIf(JS === '')('JavaScript', () => {
    const modules = join(folder, 'node_modules');
    mkdirSync(modules, {recursive: true});
    symlinkSync(JS, join(modules, 'weft-sim'));
    // Node before 22 has no WebSocket of its own.
    writeFileSync(join(folder, 'lines.mjs'), snippet('JavaScript', place));
    symlinkSync(join(root, 'clients/web/node_modules/ws'), join(modules, 'ws'));
    writeFileSync(join(folder, 'socket.mjs'), "import ws from 'ws';\nglobalThis.WebSocket ??= ws;\n");
    const told = run(process.execPath, ['--import', './socket.mjs', 'lines.mjs']);
    expect(told).toBe('paused at tick 3\nbody 1 has 16 particles\n');
  });

  it('the shell', () => {
    writeFileSync(join(folder, 'lines.sh'), snippet('Shell', place));
    const told = run('bash', ['-e', 'lines.sh']);
    expect(told).toContain('paused');
    expect(JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')).name).toBe(WORLD);
    expect(readFileSync(join(folder, 'world.npz')).toString('latin1', 0, 2)).toBe('PK');
  });

  it.skipIf(!works('cc', '--version') || !existsSync(libweft))('C', () => {
    writeFileSync(join(folder, 'lines.c'), snippet('C', place));
    run('cc', ['-Wall', '-Werror', '-I', join(root, 'clients/c'), 'lines.c', '-o', 'lines', libweft, '-luv', '-lmsgpackc', '-lssl', '-lcrypto', '-lm', '-lpthread']);
    expect(run(join(folder, 'lines'), [])).toBe('tick 3\n');
  });

  it('without tokens no line is about them', () => {
    for (const language of LANGUAGES) {
      expect(snippet(language, {...place, needsToken: false})).not.toMatch(/TOKEN/);
    }
  });
});
