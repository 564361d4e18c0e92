// How fast weft-codec.wasm reads compressed positions in Node:
//
//     node bench/codec.mjs BUILD [SIDE [TICKS]]      BUILD: a folder with bin/weft, wasm/weft-codec.wasm and weft-sim/
//
// A falling cloth of SIDE x SIDE particles (100) is baked to a compressed take, at 60 frames a second and 0.1 mm, and its chunks are
// read again and again: MB/s of the floats that come out, 12 bytes a vertex, copying in and out included, by the time that the
// processor took for it; the median of the rounds, and the best.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [build, side = '100', ticks = '60'] = process.argv.slice(2);
const {loadCodec} = await import(pathToFileURL(join(resolve(build), 'weft-sim/weft-sim.js')).href);
const codec = await loadCodec(readFileSync(join(resolve(build), 'wasm/weft-codec.wasm')));
const ROUNDS = 25;
const AGAIN = 4; // in a round

function bake() {
  const folder = mkdtempSync(join(tmpdir(), 'weft-bench-codec-'));
  const cells = Number(side) - 1;
  const scene = {
    weft: 1,
    bodies: [{name: 'cloth', grid: {size: [2, 2], cells: [cells, cells]}, material: 'cotton', pins: 'corners', self_contact: false}],
  };
  writeFileSync(join(folder, 'cloth.json'), JSON.stringify(scene));
  const words = ['bake', 'cloth.json', '-o', 'cloth.take', '--ticks', ticks, '--tolerance', '1e-4', '--quiet'];
  execFileSync(join(resolve(build), 'bin/weft'), words, {cwd: folder});
  const take = readFileSync(join(folder, 'cloth.take'));
  rmSync(folder, {recursive: true});
  return take;
}

// clients/record/take_head.c and take_index.h have the layout.
function chunksOf(take) {
  const [nameBytes, count, triangles] = [0, 4, 8].map((at) => take.readUInt32LE(40 + at));
  const at = 40 + 24 + 4 * Math.ceil(nameBytes / 4);
  const indices = Uint32Array.from({length: 3 * triangles}, (_, i) => take.readUInt32LE(at + 4 * i));
  const chunks = [];
  const index = Number(take.readBigUInt64LE(take.length - 32));
  for (let record = Number(take.readBigUInt64LE(24)); record < index; ) {
    const size = take.readUInt32LE(record + 32);
    chunks.push(new Uint8Array(take.subarray(record + 56 + 4, record + 56 + size)));
    record += 56 + size;
  }
  return {topology: {count, corners: 3, indices}, chunks};
}

const {topology, chunks} = chunksOf(bake());
const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
const begun = performance.now();
const decoder = codec.decoder(topology);
const planMs = performance.now() - begun;
const rates = [];
for (let round = 0; round < ROUNDS; round++) {
  const begin = process.cpuUsage();
  for (let again = 0; again < AGAIN; again++) {
    chunks.forEach((chunk) => decoder.delta(chunk));
  }
  const {user, system} = process.cpuUsage(begin); // us
  rates.push((12 * topology.count * chunks.length * AGAIN) / (user + system));
}
rates.sort((a, b) => a - b);
console.log(
  `${topology.count} vertices, ${chunks.length} frames, ${(bytes / chunks.length / topology.count).toFixed(2)} bytes a vertex and frame; ` +
    `read at ${rates[ROUNDS >> 1].toFixed(0)} MB/s, best ${rates.at(-1).toFixed(0)}; the body's plan took ${planMs.toFixed(1)} ms`,
);
