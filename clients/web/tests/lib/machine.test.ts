// The document in WebAssembly comes to what native code comes to: each record, each tick, each hash of what machine_pasts
// (tests/machine/pasts.c) tells. And nothing that comes from outside brings it down.
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {Worker} from 'node:worker_threads';
import {gzipSync} from 'node:zlib';
import {chromium} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {WeftError} from '../../src/lib/error.js';
import {fullBeside, loadMachine, machineOf, type Machine, type MachineMember, type MachineModule} from '../../src/lib/machine.js';

const FIRST = process.env['WEFT_WASM'] ?? '';
const beside = (which: string) => FIRST.replace(/\.wasm$/, `${which}.wasm`);
const WASM = beside('-full');
const THREADS = beside('-threads-full');
const FIRST_THREADS = beside('-threads');
const PASTS = process.env['WEFT_PASTS'] ?? '';
const PACKAGE = process.env['WEFT_CLIENT_DIR'] ?? '';
// Pages fetch the first module before a world runs. A tenth more than it has without joins, slides and pins that follow colliders.
const GZIP_BYTES_MAX = 387_300;
// The full one is fetched when a world needs it.
const FULL_GZIP_BYTES_MAX = 560_000;
const root = fileURLToPath(new URL('../../../..', import.meta.url));

interface Part {
  kind: string;
  bytes: Uint8Array;
}

function pasts(...options: string[]): Part[] {
  const told = execFileSync(PASTS, options, {cwd: root, maxBuffer: 1 << 30});
  const parts: Part[] = [];
  for (let at = 0; at < told.length; ) {
    const size = told.readUInt32LE(at + 1);
    parts.push({kind: String.fromCharCode(told[at]!), bytes: new Uint8Array(told.subarray(at + 5, at + 5 + size))});
    at += 5 + size;
  }
  return parts;
}

const zipped = (path: string) => gzipSync(readFileSync(path), {level: 9}).length;

function importsOf(path: string): string[] {
  const module = new WebAssembly.Module(readFileSync(path));
  return WebAssembly.Module.imports(module)
    .map(({module, name}) => `${module}.${name}`)
    .sort();
}

/** Those that a first module lacks, and the others. */
function divided(names: string[]): [string[], string[]] {
  return [names.filter((name) => name.startsWith('env.')), names.filter((name) => !name.startsWith('env.'))];
}

/** What `work` refuses with: a text, from a machine that lives on. */
function refusal(work: () => void): WeftError {
  try {
    work();
  } catch (error) {
    if (error instanceof WeftError) {
      expect(error.text).not.toBe('');
      expect(error.code).not.toBe('');
      return error;
    }
    throw error;
  }
  throw new Error('not refused');
}

describe.skipIf(WASM === '' || PASTS === '')('a machine', () => {
  let module: MachineModule;
  beforeAll(async () => {
    module = await loadMachine(readFileSync(WASM));
  });

  /** Goes through them. Returns how many hashes were equal; throws at the first that is not. `aside`: before each tick. */
  function follow(
    parts: Part[],
    aside?: (machine: Machine) => void,
    from: MachineModule = module,
    seen = {hashes: 0, records: 0, failed: 0},
  ): {hashes: number; records: number; failed: number} {
    let machine: Machine | undefined;
    let name = '';
    for (const {kind, bytes} of parts) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      switch (kind) {
        case 'n':
          name = new TextDecoder().decode(bytes);
          break;
        case 'i':
        case 'd':
          machine?.close();
          machine = from.open(bytes, kind === 'i' ? 'image' : 'document');
          break;
        case 'r':
          machine!.apply(bytes);
          seen.records++;
          break;
        case 's':
          aside?.(machine!);
          machine!.step();
          break;
        case 'f':
          expect(refusal(() => machine!.step()).code).toBe('FAILED');
          seen.failed++;
          break;
        case 'h': {
          const hash = view.getBigUint64(8, true).toString(16).padStart(16, '0');
          const tick = Number(view.getBigUint64(0, true));
          if (machine!.tick !== tick || machine!.hash() !== hash) {
            throw new Error(`${name}: tick ${machine!.tick} ${machine!.hash()}; native: tick ${tick} ${hash}`);
          }
          seen.hashes++;
          break;
        }
        case 'p': {
          const positions = machine!.positions(view.getUint32(0, true));
          expect(new Uint8Array(positions.buffer)).toEqual(bytes.slice(4));
          break;
        }
        default:
          throw new Error(`unknown part ${kind}`);
      }
    }
    machine?.close();
    return seen;
  }

  it('comes to the hash of native code at each tick of all that the solver has, far from the origin', () => {
    const parts = pasts('scene', '40', 'tests/machine/far.json', 'tests/scenes/everything.json');
    const taut = new Set<string>();
    const look = (machine: Machine) => {
      const {elastic_join: join, elastic_slide: slide} = machine.part('measures');
      if (join > 0) taut.add('join');
      if (slide > 0) taut.add('slide');
    };
    expect(follow(parts, look).hashes).toBe(82);
    expect(taut).toEqual(new Set(['join', 'slide']));
    expect(parts.filter(({kind}) => kind === 'p').length).toBeGreaterThan(10);
  });

  it('comes to the same where it runs ahead before each tick, pulled at, and goes back', () => {
    let runs = 0;
    const aside = (machine: Machine) => {
      const [tick, hash, told] = [machine.tick, machine.hash(), machine.part('measures')];
      const {id, particles} = machine.bodies().at(-1)!;
      const before = machine.positions(id);
      const there = machine.ahead((hands) => {
        const free = [...Array(particles).keys()].reverse().find((particle) => {
          try {
            const grab = hands.hold(id, particle, 1e-3);
            hands.pull(grab, [0.2, 0.3, 0.4]);
            expect(machine.grabOf(id, particle)).toBe(grab);
            return true;
          } catch {
            return false; // it is pinned
          }
        });
        for (let ahead = 0; ahead <= runs % 3; ahead++) machine.step();
        expect(machine.tick).toBe(tick + 1 + (runs % 3));
        return free === undefined ? [] : machine.positions(id);
      });
      expect(there).not.toEqual(before);
      expect([machine.tick, machine.hash(), machine.part('measures')]).toEqual([tick, hash, told]);
      runs++;
    };
    const parts = pasts('scene', '6', 'tests/machine/far.json', 'clients/scenes/cloths.json', 'clients/scenes/jelly.json');
    expect(follow(parts, aside).hashes).toBe(21);
    expect(runs).toBe(18);
    const machine = module.open(parts.find(({kind}) => kind === 'd')!.bytes, 'document');
    const hash = machine.hash();
    const failing = () => machine.ahead((hands) => hands.pull(77, [0, 0, 0]));
    expect(refusal(failing).text).toContain('grab 77');
    expect(machine.hash()).toBe(hash);
    machine.close();
  });

  it('and of scenes of the gallery', () => {
    const scenes = ['flag', 'tablecloth', 'jelly', 'knot', 'sack'].map((name) => `clients/scenes/${name}.json`);
    expect(follow(pasts('scene', '8', ...scenes)).hashes).toBe(5 * 9);
  });

  it('which the first module runs to the same hashes, all of them, and ordinary bodies and colliders', async () => {
    const folder = 'clients/scenes';
    // Scenes of kinds that are loaded later (solids, rods, rigid bodies and others).
    const later = ['balloons', 'crane', 'knot', 'mail', 'marbles', 'net', 'paper', 'sack', 'shirt', 'spring', 'tent', 'toy'].map(
      (name) => `${name}.json`,
    );
    const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.json') && !later.includes(name));
    const first = await loadMachine(readFileSync(FIRST));
    const parts = pasts('scene', '2', ...names.map((name) => join(folder, name)));
    expect(follow(parts, undefined, first).hashes).toBe(3 * names.length);
    expect(follow(pasts('scene', '20', 'tests/machine/plain.json'), undefined, first).hashes).toBe(21);
    expect(first.isFirst).toBe(true);
    expect(module.isFirst).toBe(false);
  });

  it('a first module ends with LATER where it lacks something, and not otherwise', async () => {
    const compiled = await WebAssembly.compile(readFileSync(FIRST));
    const parts = pasts('programs', '0', '20');
    const starts = parts.flatMap(({kind}, at) => (kind === 'n' ? [at] : []));
    const same = {hashes: 0, records: 0, failed: 0};
    const needs: string[] = [];
    for (const [at, start] of starts.entries()) {
      const program = parts.slice(start, starts[at + 1]);
      const first = machineOf(compiled);
      try {
        follow(program, undefined, first, same);
      } catch (error) {
        if (!(error instanceof WeftError) || error.code !== 'LATER') throw error;
        needs.push(error.text);
        expect(refusal(() => first.open(program.find(({kind}) => kind === 'i')!.bytes))).toBe(error);
      }
    }
    expect(same.hashes).toBeGreaterThan(starts.length);
    expect(needs.length).toBeGreaterThan(0);
    const [document] = pasts('scene', '0', 'tests/machine/far.json').filter(({kind}) => kind === 'd');
    const text = refusal(() => machineOf(compiled).open(document!.bytes, 'document')).text;
    expect(text).toMatch(/^the world needs weft-machine-full\.wasm: \w+ is not in weft-machine\.wasm$/);
  });

  it('and after each record of random programs', () => {
    const programs = Number(process.env['WEFT_PROGRAMS'] ?? 40);
    for (let first = 0; first < programs; first += 40) {
      const count = Math.min(40, programs - first);
      const seen = follow(pasts('programs', `${first}`, `${count}`));
      expect(seen.records).toBeGreaterThan(count * 20);
      expect(seen.hashes).toBeGreaterThan(seen.records);
    }
  }, 3_600_000);

  it('and where a tick fails, as which it says why', () => {
    const parts = pasts('scene', '20', 'tests/machine/fails.json');
    expect(follow(parts).failed).toBe(1);
    const machine = module.open(parts.find(({kind}) => kind === 'd')!.bytes, 'document');
    const why = refusal(() => {
      for (;;) {
        machine.step();
      }
    });
    expect(why.text).toContain('thrown');
    const {tick} = machine;
    expect(refusal(() => machine.step()).text).toBe(why.text);
    expect(machine.tick).toBe(tick);
    machine.close();
  });

  it('is another world where a record is left out', () => {
    const parts = pasts('programs', '3', '1');
    const edit = parts.findIndex(({kind}, at) => kind === 'r' && at > parts.length / 2);
    expect(() => follow(parts.filter((_, at) => at !== edit))).toThrow();
  });

  it('takes a record at its own tick alone', () => {
    const parts = pasts('programs', '0', '1');
    const machine = module.open(parts.find(({kind}) => kind === 'i')!.bytes);
    machine.step();
    const later = refusal(() => machine.apply(parts.find(({kind}) => kind === 'r')!.bytes));
    expect(later.code).toBe('CONFLICT');
    expect(later.text).toContain('tick');
    machine.close();
  });

  it('refuses what is no world, and no record, with a text', () => {
    const machine = module.open(pasts('programs', '1', '1').find(({kind}) => kind === 'i')!.bytes);
    const before = machine.hash();
    let state = 12345;
    const draw = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
    for (let size = 0; size < 400; size++) {
      const garbage = Uint8Array.from({length: size}, () => draw() >>> 24);
      refusal(() => module.open(garbage));
      refusal(() => module.open(garbage, 'document'));
      refusal(() => machine.apply(garbage));
    }
    expect(machine.hash()).toBe(before);
    machine.close();
  });

  it('lives on, whatever is changed in images and records', () => {
    const parts = pasts('programs', '2', '2').filter(({kind}) => kind === 'i' || kind === 'r');
    parts.push(...pasts('scene', '1', 'tests/machine/far.json').filter(({kind}) => kind === 'd'));
    let state = 99;
    const below = (count: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % count;
    const seen = {refused: 0, taken: 0};
    for (let turn = 0; turn < 1500; turn++) {
      const {kind, bytes} = parts[turn % 20 === 0 ? parts.length - 1 : below(parts.length)]!;
      const changed = bytes.slice(0, below(4) === 0 ? below(bytes.length) : undefined);
      for (let change = below(4); change > 0 && changed.length > 0; change--) {
        changed[below(changed.length)] = below(256);
      }
      const image = parts.find((part) => part.kind === 'i')!.bytes;
      try {
        const machine = module.open(kind === 'r' ? image : changed, kind === 'd' ? 'document' : 'image');
        try {
          if (kind === 'r') {
            machine.apply(changed);
          }
          machine.step();
          machine.hash();
          seen.taken++;
        } finally {
          machine.close();
        }
      } catch (error) {
        if (!(error instanceof WeftError) || error.code === 'INTERNAL') {
          // A record that came to another result than it says is refused with INTERNAL as well.
          expect((error as WeftError).text).toMatch(/came to another one/);
        }
        seen.refused++;
      }
    }
    expect(seen.refused).toBeGreaterThan(250);
    expect(seen.taken).toBeGreaterThan(50);
  });

  it('has positions that outlive the growth of its memory', () => {
    const document = pasts('scene', '0', 'tests/machine/far.json').find(({kind}) => kind === 'd')!.bytes;
    const first = module.open(document, 'document');
    const [body] = first.bodies();
    const before = first.positions(body!.id);
    const copy = before.slice();
    const size = module.memory;
    const others: Machine[] = [];
    while (module.memory === size) {
      others.push(module.open(document, 'document'));
    }
    expect(before).toEqual(copy);
    expect(first.positions(body!.id)).toEqual(copy);
    const out = new Float32Array(3 * body!.particles + 5);
    expect(first.positions(body!.id, out).buffer).toBe(out.buffer);
    expect(out.subarray(0, copy.length)).toEqual(copy);
    for (const machine of [...others, first]) {
      machine.close();
    }
  });

  it('tells what frames tell, at each substep of a tick too, and comes to the same', () => {
    const image = pasts('scene', '0', 'tests/machine/far.json').find(({kind}) => kind === 'd')!;
    const [watched, plain] = [module.open(image.bytes, 'document'), module.open(image.bytes, 'document')];
    watched.showContacts(true);
    const {substeps, tick_rate: rate} = watched.settings();
    expect(rate).toBeGreaterThan(0);
    const seen: number[] = [];
    const kinetic: number[] = [];
    for (let tick = 0; tick < 5; tick++) {
      plain.step();
      watched.step((substep) => {
        seen.push(substep);
        kinetic.push(watched.part('measures', substep % substeps).kinetic);
      });
      expect(watched.hash()).toBe(plain.hash());
    }
    expect(seen).toEqual(Array.from({length: 5 * substeps}, (_, i) => 1 + (i % substeps)));
    expect(new Set(kinetic).size).toBeGreaterThan(substeps);
    expect([watched.part('contacts').known, plain.part('contacts').known]).toEqual([true, false]);
    expect(watched.part('contact')).toEqual(plain.part('contact'));
    expect(watched.part('grabs')).toEqual([]);
    const poses = watched.part('colliders');
    expect(poses.length).toBeGreaterThan(0);
    expect(poses.every(({position, rotation}) => position.length === 3 && rotation.length === 4)).toBe(true);
    for (const {id, particles} of watched.bodies()) {
      for (const kind of ['positions', 'velocities', 'normals'] as const) {
        expect(watched.array(id, kind).length).toBe(3 * particles);
      }
      for (const kind of ['triangles', 'edges', 'tets'] as const) {
        expect(watched.array(id, kind).every((index) => index < particles)).toBe(true);
      }
      const vertices = watched.array(id, 'skin').length / 3;
      expect(watched.array(id, 'skinTriangles').every((index) => index < vertices)).toBe(true);
    }
    // What a watcher throws is thrown, and the machine lives on.
    const watch = () => {
      throw new TypeError('enough');
    };
    expect(() => watched.step(watch)).toThrow('enough');
    plain.step();
    expect(watched.hash()).toBe(plain.hash());
    watched.close();
    plain.close();
  });

  it('gives back what it took', () => {
    const image = pasts('scene', '0', 'tests/machine/far.json').find(({kind}) => kind === 'd')!.bytes;
    const turn = () => {
      const machine = module.open(image, 'document');
      machine.step();
      machine.close();
    };
    turn();
    const before = module.memory;
    for (let i = 0; i < 20; i++) {
      turn();
    }
    expect(module.memory).toBe(before);
  });

  it('says what is not there', () => {
    const machine = module.open(pasts('programs', '1', '1').find(({kind}) => kind === 'i')!.bytes);
    expect(machine.bodies()).toEqual([]);
    expect(refusal(() => machine.positions(1)).code).toBe('NOT_FOUND');
    machine.close();
    machine.close();
    expect(refusal(() => machine.step()).code).toBe('CLOSED');
    expect(refusal(() => module.open(new Uint8Array(2 ** 27 + 1))).code).toBe('LIMIT');
  });

  it('is small, and asks little of who runs it', () => {
    expect(zipped(WASM)).toBeLessThan(FULL_GZIP_BYTES_MAX);
    expect(zipped(FIRST)).toBeLessThan(GZIP_BYTES_MAX);
    const wasi = ['fd_close', 'fd_seek', 'fd_write'].map((name) => `wasi_snapshot_preview1.${name}`);
    expect(importsOf(WASM)).toEqual([...wasi, 'weft.machine_substep']);
    const [lacked, rest] = divided(importsOf(FIRST));
    expect(rest).toEqual([...wasi, 'weft.later', 'weft.machine_substep']);
    expect(lacked).toContain('env.sim_softs_solve_simd128');
  });

  it('is compiled once for several threads', async () => {
    const again = await loadMachine(module.module);
    expect(again.memory).toBeLessThan(2 ** 24);
  });
});

describe.skipIf(THREADS === '' || PASTS === '' || PACKAGE === '')('a machine of several threads', () => {
  /** A thread that takes part; it says so, and its exit status. */
  function hire(member: MachineMember | null): {begun: Promise<unknown>; ended: Promise<number>} {
    const code = `
      const {parentPort, workerData} = require('node:worker_threads');
      import(workerData.library).then(({serveMachine}) => {
        parentPort.postMessage('here');
        serveMachine(workerData.member);
      });`;
    const library = pathToFileURL(join(PACKAGE, 'weft-sim.js')).href;
    const worker = new Worker(code, {eval: true, workerData: {library, member}});
    const begun = new Promise((resolve) => worker.once('message', resolve));
    return {begun, ended: new Promise((resolve) => worker.once('exit', resolve))};
  }

  it('comes to the same hashes, and lets its members go', async () => {
    for (const [ticks, scene, path] of [
      ['40', 'clients/scenes/cloths.json', THREADS], // with contact
      ['20', 'tests/machine/cloth.json', THREADS],
      ['20', 'tests/machine/cloth.json', FIRST_THREADS],
    ]) {
      const parts = pasts('scene', ticks!, scene!);
      const module = await loadMachine(readFileSync(path!));
      const machine = module.open(parts.find(({kind}) => kind === 'd')!.bytes, 'document');
      const members = [hire(module.member()), hire(module.member())];
      const hashes = [machine.hash()];
      for (let tick = 0; tick < Number(ticks); tick++) {
        if (tick === 5) await Promise.all(members.map(({begun}) => begun)); // they come in the midst of it
        machine.step();
        hashes.push(machine.hash());
      }
      const native = parts
        .filter(({kind}) => kind === 'h')
        .map(({bytes}) => Buffer.from(bytes).readBigUInt64LE(8).toString(16).padStart(16, '0'));
      expect(hashes).toEqual(native);
      module.dismiss();
      expect(await Promise.all(members.map(({ended}) => ended))).toEqual([0, 0]);
    }
  });

  it('says that it broke where a member did', async () => {
    const module = await loadMachine(readFileSync(THREADS));
    const document = pasts('scene', '0', 'tests/machine/cloth.json').find(({kind}) => kind === 'd')!.bytes;
    const machine = module.open(document, 'document');
    const member = module.member()!;
    const {begun} = hire(member);
    await begun;
    const other = new WebAssembly.Instance(member.module, {
      wasi_snapshot_preview1: {fd_write: () => 0, fd_close: () => 0, fd_seek: () => 0},
      weft: {machine_substep: () => undefined},
      env: {memory: member.memory},
    });
    (other.exports['machine_crew_break'] as () => void)();
    const step = () => {
      for (let tick = 0; tick < 100; tick++) machine.step();
    };
    expect(refusal(step).code).toBe('INTERNAL');
    (other.exports['machine_crew_close'] as () => void)();
  });

  it('asks little of who runs it, and is as small', () => {
    expect(zipped(THREADS)).toBeLessThan(FULL_GZIP_BYTES_MAX);
    expect(zipped(FIRST_THREADS)).toBeLessThan(GZIP_BYTES_MAX);
    const wasi = ['fd_close', 'fd_seek', 'fd_write'].map((name) => `wasi_snapshot_preview1.${name}`);
    expect(importsOf(THREADS)).toEqual(['env.memory', ...wasi, 'weft.machine_substep']);
    const [lacked, rest] = divided(importsOf(FIRST_THREADS));
    expect(rest).toEqual([...wasi, 'weft.later', 'weft.machine_substep']);
    expect(lacked).toEqual([...divided(importsOf(FIRST))[0], 'env.memory'].sort());
  });
});

/** A module with a machine_open that traps. */
function broken(): Uint8Array {
  const section = (id: number, ...body: number[]) => [id, body.length, ...body];
  const exported = (name: string, kind: number, index: number) => [name.length, ...Buffer.from(name), kind, index];
  const I32 = 0x7f;
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 4, 0x60, 0, 0, 0x60, 1, I32, 1, I32, 0x60, 3, I32, I32, I32, 1, I32, 0x60, 1, I32, 0), // types
    ...section(3, 4, 0, 1, 2, 3),
    ...section(5, 1, 0, 1), // a page of memory
    ...section(
      7,
      5,
      ...exported('memory', 2, 0),
      ...['_initialize', 'machine_alloc', 'machine_open', 'machine_free'].flatMap((name, at) => exported(name, 0, at)),
    ),
    ...section(10, 4, 2, 0, 0x0b, 4, 0, 0x41, 16, 0x0b, 3, 0, 0x00, 0x0b, 2, 0, 0x0b), // 0x41 16: a place; 0x00: a trap
  ]);
}

it('the full module is looked for beside the first', () => {
  expect(fullBeside('/weft-machine.wasm')).toBe('/weft-machine-full.wasm');
  expect(fullBeside('weft-machine.wasm')).toBe('weft-machine-full.wasm');
  expect(fullBeside(new URL('http://a/b/weft-machine-threads.wasm?v=1'))).toBe('http://a/b/weft-machine-threads-full.wasm?v=1');
  for (const other of ['/weft-machine-full.wasm', '/my-weft-machine.wasm', 'x.wasm', new Uint8Array(3)]) {
    expect(fullBeside(other)).toBe(undefined);
  }
});

it('a module that broke says so, and answers nothing more', async () => {
  const module = await loadMachine(broken());
  for (let time = 0; time < 2; time++) {
    const error = refusal(() => module.open(new Uint8Array(3)));
    expect(error.code).toBe('INTERNAL');
    expect(error.text).toContain('the machine broke');
  }
});

// A worker that runs the document beside it, in the full module if the first one lacks something, for as long as it is told, and says its hash at each tick.
const WORKER = `
  import {loadMachine} from './weft-sim.js';
  onmessage = async ({data: ticks}) => {
    const document = new Uint8Array(await (await fetch('./document')).arrayBuffer());
    const open = async (path) => (await loadMachine(path)).open(document, 'document');
    const machine = await open('./weft-machine.wasm').catch((error) => {
      if (error.code !== 'LATER') throw error;
      return open('./weft-machine-full.wasm');
    });
    const hashes = [machine.hash()];
    for (let tick = 0; tick < ticks; tick++) {
      machine.step();
      hashes.push(machine.hash());
    }
    postMessage(hashes);
  };`;
const PAGE = `<!doctype html><script type="module">
  const worker = new Worker('./worker.js', {type: 'module'});
  worker.onmessage = ({data}) => (window.hashes = data);
  worker.onerror = ({message}) => (window.hashes = [message]);
  worker.postMessage(30);
</script>`;

describe.skipIf(WASM === '' || PASTS === '' || PACKAGE === '')('the package', () => {
  it('comes to the same hashes in a browser, in a worker', async () => {
    const parts = pasts('scene', '30', 'tests/machine/far.json');
    const files: Record<string, [string, string | Uint8Array]> = {
      '/': ['text/html', PAGE],
      '/worker.js': ['text/javascript', WORKER],
      '/document': ['application/octet-stream', parts.find(({kind}) => kind === 'd')!.bytes],
      '/weft-sim.js': ['text/javascript', readFileSync(join(PACKAGE, 'weft-sim.js'))],
      '/weft-machine.wasm': ['application/wasm', readFileSync(join(PACKAGE, 'weft-machine.wasm'))],
      '/weft-machine-full.wasm': ['application/wasm', readFileSync(join(PACKAGE, 'weft-machine-full.wasm'))],
    };
    const web = createServer((request, response) => {
      const found = files[request.url!];
      response.writeHead(found ? 200 : 404, {'Content-Type': found?.[0] ?? 'text/plain'}).end(found?.[1]);
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(web.address() as AddressInfo).port}/`);
      const told = await page.waitForFunction(() => (window as {hashes?: string[]}).hashes);
      const native = parts
        .filter(({kind}) => kind === 'h')
        .map(({bytes}) => Buffer.from(bytes).readBigUInt64LE(8).toString(16).padStart(16, '0'));
      expect(await told.jsonValue()).toEqual(native);
    } finally {
      await browser.close();
      web.close();
    }
  });
});
