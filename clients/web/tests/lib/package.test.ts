// The library as it is handed out: WEFT_CLIENT_DIR is the package's folder. It is packed, its types are compiled
// against as a stranger's program does, and the examples of docs/guides/web-client.md run as they stand there.
import {execFile, spawn} from 'node:child_process';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {chromium} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import WebSocket from 'ws';
import {connect, VERSION} from '../../src/lib/index.js';
import type {Frame} from '../../src/lib/index.js';
import {until, WEFTD, Weftd} from './weftd.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const packageDir = process.env['WEFT_CLIENT_DIR'] ?? '';
const guide = readFileSync(join(root, '../../docs/guides/web-client.md'), 'utf8');

/** The first block of the guide in that language: a whole program. */
function example(language: string): string {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))];
  expect(blocks.length).toBeGreaterThan(0);
  return blocks[0]![1]!;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-package.'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

it('the versions agree', () => {
  const version = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')).version;
  expect([version('package.json'), version('package/package.json')]).toEqual([VERSION, VERSION]);
});

describe.skipIf(packageDir === '')('the package', () => {
  it('packs what is needed and no more', async () => {
    const {stdout} = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: packageDir,
    });
    const [packed] = JSON.parse(stdout);
    expect([packed.name, packed.version]).toEqual(['weft-sim', VERSION]);
    const twin = ['twin/ahead', 'twin/twin', 'twin/types'];
    const own = ['api.generated', 'client', 'codec', 'error', 'index', 'machine', 'module', 'schema', 'types', 'values'];
    const types = [...own, ...twin].map((name) => `${name}.d.ts`);
    const machines = ['', '-threads', '-full', '-threads-full'].map((which) => `weft-machine${which}.wasm`);
    const names = ['weft-codec.wasm', ...machines];
    const modules = ['weft-machine.licenses.txt', ...names];
    const machine = process.env['WEFT_WASM'] === undefined ? [] : modules;
    const wanted = ['LICENSE', 'README.md', 'licenses.txt', 'package.json', 'twin-worker.js', 'weft-sim.js', ...machine, ...types].sort();
    expect(packed.files.map((file: {path: string}) => file.path).sort()).toEqual(wanted);
    // Installed out of what was packed, in a program of a stranger.
    const program = join(folder, 'program');
    mkdirSync(join(program, 'node_modules/weft-sim'), {recursive: true});
    await run('tar', [
      '-xzf',
      join(folder, packed.filename),
      '-C',
      join(program, 'node_modules/weft-sim'),
      '--strip-components=1',
    ]);
    for (const name of ['ws', '@types']) {
      symlinkSync(join(root, 'node_modules', name), join(program, 'node_modules', name));
    }
    writeFileSync(join(program, 'package.json'), '{"type": "module"}');
  });

  it('its types fit strict programs, for Node and for pages', async () => {
    const program = join(folder, 'program');
    const common = `
      import {connect, METHODS, WeftError, type Client, type Frame, type Results} from 'weft-sim';
      export async function go(client: Client): Promise<number> {
        const {world}: Results['world.create'] = await client.call('world.create', {name: 'a', gravity: [0, -1, 0]});
        await client.call('body.add', {world, kind: 'cloth', positions: new Float32Array(9), triangles: [0, 1, 2]});
        const {worlds} = await client.call('world.list');
        // @ts-expect-error the world is missing
        await client.call('world.play', {rate: 1});
        // @ts-expect-error there is no such kind
        await client.call('body.add', {world, kind: 'brick', positions: []});
        // @ts-expect-error there is no such method
        await client.call('world.paint', {world});
        const off: () => void = client.on('world.changed', ({state}) => console.log(state === 'paused'));
        off();
        const stream = await client.subscribe({world, fields: ['positions']}, (frame: Frame) => frame.bodies[0]?.positions?.[0]);
        await stream.set({every: 2}).catch((error: unknown) => error instanceof WeftError && error.code === 'LIMIT');
        return worlds.length + (METHODS['body.add'].params[0]?.min ?? 0);
      }`;
    const compile = (name: string, source: string, options: object) => {
      writeFileSync(join(program, `${name}.mts`), common + source);
      const config = {
        compilerOptions: {target: 'es2022', strict: true, noEmit: true, exactOptionalPropertyTypes: true, ...options},
        files: [`${name}.mts`],
      };
      writeFileSync(join(program, `${name}.json`), JSON.stringify(config));
      return run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', `${name}.json`], {
        cwd: program,
      });
    };
    const fails = (error: {stdout: string}) => expect.fail(error.stdout);
    await compile(
      'node',
      `import WebSocket from 'ws'; await go(connect({url: 'ws://127.0.0.1:9339/ws', WebSocket, reconnect: {maxDelayMs: 1000}}));`,
      {module: 'nodenext', lib: ['es2022'], types: ['node'], skipLibCheck: true},
    ).catch(fails);
    await compile('page', `await go(connect({url: '/ws', WebSocket: window.WebSocket}));`, {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      skipDefaultLibCheck: true,
      types: [],
    }).catch(fails);
  });
});

describe.skipIf(packageDir === '' || WEFTD === '')('the examples of the guide', () => {
  let weftd: Weftd;
  beforeAll(async () => {
    weftd = await Weftd.start();
  });
  afterAll(async () => {
    await weftd?.stop();
  });

  it('the Node program prints what the guide says', async () => {
    const program = join(folder, 'chain');
    mkdirSync(join(program, 'node_modules'), {recursive: true});
    symlinkSync(packageDir, join(program, 'node_modules/weft-sim'));
    symlinkSync(join(root, 'node_modules/ws'), join(program, 'node_modules/ws'));
    writeFileSync(join(program, 'chain.mjs'), example('js'));
    const output = await new Promise<string>((resolve, reject) => {
      const child = spawn(process.execPath, ['chain.mjs', weftd.url], {
        cwd: program,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      child.stdout.on('data', (data: Buffer) => (text += data.toString()));
      child.stderr.on('data', (data: Buffer) => (text += data.toString()));
      const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
      child.on('exit', (code) => {
        clearTimeout(timer);
        if (code === 0) {
          resolve(text);
        } else {
          reject(new Error(`ended with ${code}: ${text}`));
        }
      });
    });
    const lines = output.trimEnd().split('\n');
    expect(lines[0]).toBe('body 1 has 21 particles');
    expect(lines.slice(1, 6).map((line) => line.split(' its ')[0])).toEqual(
      ['0.0', '0.5', '1.0', '1.5', '2.0'].map((s) => `after ${s} s`),
    );
    expect(lines[1]).toBe('after 0.0 s its end is at 1.000, 0.000, 0.000; strain 0.0e+0');
    // It swings: half a second later the end is below where it was.
    expect(Number(/at \S+, (-?[\d.]+),/.exec(lines[2]!)![1])).toBeLessThan(-0.5);
    expect(lines[6]).toMatch(/^INVALID at stretch\.compliance: .+/);
    expect(lines.length).toBe(7);
  });

  it('the page draws, and the net can be dragged', async () => {
    const files: Record<string, [string, string | Buffer]> = {
      '/': ['text/html', example('html')],
      '/favicon.ico': ['image/x-icon', ''],
      '/weft-sim.js': ['text/javascript', readFileSync(join(packageDir, 'weft-sim.js'))],
    };
    const web: Server = createServer((request, response) => {
      const found = files[new URL(request.url!, 'http://x').pathname];
      response.writeHead(found ? 200 : 404, {'Content-Type': found?.[0] ?? 'text/plain'}).end(found?.[1]);
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const {port} = web.address() as AddressInfo;
    const browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    const client = connect({url: weftd.url, WebSocket});
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`http://127.0.0.1:${port}/?server=${encodeURIComponent(weftd.url)}`);
      await page.waitForFunction(() =>
        /^tick \d+, [\d.]+ ms away$/.test(document.getElementById('status')!.textContent!),
      );
      const pixels = () =>
        page.evaluate(() => {
          const canvas = document.getElementById('view') as HTMLCanvasElement;
          const {data} = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          return data.filter((value, i) => i % 4 === 3 && value > 0).length;
        });
      expect(await pixels()).toBeGreaterThan(400);

      const frames: Frame[] = [];
      await client.subscribe({world: 'net', fields: ['positions', 'grabs']}, (frame) => frames.push(frame));
      const canvas = (await page.locator('#view').boundingBox())!;
      const at = (x: number, y: number): [number, number] => [canvas.x + x, canvas.y + y];
      await page.mouse.move(...at(320, 250));
      await page.mouse.down();
      await page.mouse.move(...at(500, 150), {steps: 5});
      await until(
        () => Math.abs((frames.at(-1)?.grabs?.[0]?.target[0] ?? 0) - 180 / 250) < 0.01,
        'another client sees the drag',
      );
      expect(frames.at(-1)!.grabs![0]).toMatchObject({user: 'Ada', body: 1});
      const held = frames.at(-1)!.grabs![0]!.particle;
      await until(() => frames.at(-1)!.bodies[0]!.positions![3 * held]! > 0.4, 'the net follows');
      await page.mouse.up();
      await until(() => frames.at(-1)!.grabs!.length === 0, 'it is let go');

      // Another server at the same place: the page makes its world again and goes on.
      await weftd.stop();
      await page.waitForFunction(() => document.getElementById('status')!.textContent!.includes('connection'));
      weftd = await Weftd.start(weftd.http);
      await page.waitForFunction(() => /^tick \d+,/.test(document.getElementById('status')!.textContent!));
      expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
    } finally {
      client.close();
      await browser.close();
      await new Promise((resolve) => web.close(resolve));
    }
  });
});
