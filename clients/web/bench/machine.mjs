// A scene's ticks in Node, by weft-machine-full.wasm, beside native code in the same rounds:
//
//     node bench/machine.mjs BUILD SCENE [TICKS [ROUNDS]]      BUILD: a folder with bin/machine_pasts and weft-sim/
//
// Milliseconds a tick: the median of a round's ticks, and of these the median; and the best tick of all, which means more where other
// programs have the cores. Ends with status 1 where a hash differs.
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [build, scene, ticks = '100', rounds = '5'] = process.argv.slice(2);
const pasts = join(resolve(build), 'bin/machine_pasts');
const {loadMachine} = await import(pathToFileURL(join(resolve(build), 'weft-sim/weft-sim.js')).href);
const module = await loadMachine(readFileSync(join(resolve(build), 'weft-sim/weft-machine-full.wasm')));

const told = execFileSync(pasts, ['scene', '0', scene], {maxBuffer: 1 << 30});
let document;
for (let at = 0; at < told.length; at += 5 + told.readUInt32LE(at + 1)) {
  if (told[at] === 'd'.charCodeAt(0)) {
    document = told.subarray(at + 5, at + 5 + told.readUInt32LE(at + 1));
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const of = new Map(); // who → medians of the rounds, and their best ticks
const hashes = new Set();
const note = (name, ms, best, hash) => {
  const {medians, bests} = of.get(name) ?? {medians: [], bests: []};
  of.set(name, {medians: [...medians, ms], bests: [...bests, best]});
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
  note('wasm', median(times), Math.min(...times), machine.hash());
  machine.close();
  const {stderr} = spawnSync(pasts, ['time', ticks, scene], {encoding: 'utf8'});
  for (const [, isa, ms, best, hash] of stderr.matchAll(/^(\S+) +median ([\d.]+) .*best ([\d.]+); hash (\w+)$/gm)) {
    note(isa, Number(ms), Number(best), hash);
  }
}
const figures = [...of].map(([name, {medians, bests}]) => ({name, ms: median(medians), best: Math.min(...bests)}));
for (const {name, ms, best} of figures) {
  const ratio = (one, other) => (one / other).toFixed(2);
  console.log(
    `${name.padEnd(8)} ${ms.toFixed(3)} ms a tick, best ${best.toFixed(3)}; ` +
      `wasm takes ${ratio(figures[0].ms, ms)} of it, best ${ratio(figures[0].best, best)}`,
  );
}
if (hashes.size !== 1) {
  console.error(`hashes differ: ${[...hashes].join(' ')}`);
  process.exit(1);
}
