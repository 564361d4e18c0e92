// A scene's ticks in Node, by weft-machine.wasm, beside native code in the same rounds:
//
//     node bench/machine.mjs BUILD SCENE [TICKS [ROUNDS]]      BUILD: a folder with bin/machine_pasts and weft-sim/
//
// Milliseconds a tick: the median of a round's ticks, and of these the median. Ends with status 1 where a hash differs.
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [build, scene, ticks = '100', rounds = '5'] = process.argv.slice(2);
const pasts = join(resolve(build), 'bin/machine_pasts');
const {loadMachine} = await import(pathToFileURL(join(resolve(build), 'weft-sim/weft-sim.js')).href);
const module = await loadMachine(readFileSync(join(resolve(build), 'weft-sim/weft-machine.wasm')));

const told = execFileSync(pasts, ['scene', '0', scene], {maxBuffer: 1 << 30});
let document;
for (let at = 0; at < told.length; at += 5 + told.readUInt32LE(at + 1)) {
  if (told[at] === 'd'.charCodeAt(0)) {
    document = told.subarray(at + 5, at + 5 + told.readUInt32LE(at + 1));
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const of = new Map(); // who → a median for each round
const hashes = new Set();
const note = (name, ms, hash) => {
  of.set(name, [...(of.get(name) ?? []), ms]);
  hashes.add(hash);
};

for (let round = 0; round < Number(rounds); round++) {
  const machine = module.open(document, 'document');
  const times = [];
  for (let tick = 0; tick < Number(ticks); tick++) {
    const begin = performance.now();
    machine.step();
    times.push(performance.now() - begin);
  }
  note('wasm', median(times), machine.hash());
  machine.close();
  const {stderr} = spawnSync(pasts, ['time', ticks, scene], {encoding: 'utf8'});
  for (const [, isa, ms, hash] of stderr.matchAll(/^(\S+) +median ([\d.]+) .*hash (\w+)$/gm)) {
    note(isa, Number(ms), hash);
  }
}
const wasm = median(of.get('wasm'));
for (const [name, all] of of) {
  console.log(`${name.padEnd(8)} ${median(all).toFixed(3)} ms a tick, wasm takes ${(wasm / median(all)).toFixed(2)} of it`);
}
if (hashes.size !== 1) {
  console.error(`hashes differ: ${[...hashes].join(' ')}`);
  process.exit(1);
}
