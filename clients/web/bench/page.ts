// The benchmark in the page: opened with ?bench, it makes worlds of growing size on the server, plays each for a while
// and measures what the page does with it. The outcome is a table on the page, and `window.weftBench` for a script.
//
//     ?bench                          the worlds below
//     ?bench=100&bodies=10&seconds=5  one of them: a cloth of 100 × 100 and ten bodies, measured for 5 s
//     ?bench&light=best               in that light (viewstate.ts), and not in what the machine has by itself
//
// mainMs is the time of the main thread for a frame: drawing (the graphics card's share aside), interpolation,
// decoding of messages. The worlds are deleted in the end.
import type {App} from '../src/studio/model/index.js';
import {LIGHTS} from '../src/studio/model/viewstate.js';
import {mean, quantile} from '../src/studio/view/meter.js';
import type {Stage} from '../src/studio/view/index.js';

export interface BenchCase {
  // Particles along each side of the large cloth.
  readonly side: number;
  // Smaller cloths beside it.
  readonly bodies: number;
}

export interface BenchRow extends BenchCase {
  readonly particles: number;
  readonly triangles: number;
  readonly framesPerSecond: number;
  readonly mainMs: number;
  readonly mainMs95: number;
  readonly mainMsMax: number;
  // From one frame to the next.
  readonly gapMs50: number;
  readonly gapMs95: number;
  readonly streamPerSecond: number;
  readonly dropped: number;
  readonly delayMs: number;
  readonly resolution: number;
}

export interface BenchReport {
  state: 'running' | 'measuring' | 'done' | 'failed';
  rows: BenchRow[];
  error: string;
}

declare global {
  interface Window {
    weftBench?: BenchReport;
  }
}

const CASES: readonly BenchCase[] = [
  {side: 32, bodies: 0},
  {side: 64, bodies: 4},
  {side: 100, bodies: 10},
  {side: 150, bodies: 10},
  {side: 224, bodies: 10},
];
const SETTLE_MS = 1500;
const SMALL_SIDE = 16;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// A cloth of n × n particles, `size` m wide, from a corner.
function cloth(
  n: number,
  size: number,
  corner: readonly [number, number, number],
): {positions: Float32Array; triangles: Uint32Array} {
  const positions = new Float32Array(3 * n * n);
  const triangles = new Uint32Array(6 * (n - 1) * (n - 1));
  let t = 0;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const i = row * n + column;
      positions.set(
        [corner[0] + (size * column) / (n - 1), corner[1], corner[2] + (size * row) / (n - 1)],
        3 * i,
      );
      if (row + 1 < n && column + 1 < n) {
        triangles.set([i, i + n, i + 1, i + 1, i + n, i + n + 1], t);
        t += 6;
      }
    }
  }
  return {positions, triangles};
}

function good<T>(
  outcome: {readonly ok: true; readonly result: T} | {readonly ok: false; readonly error: Error},
): T {
  if (!outcome.ok) {
    throw outcome.error;
  }
  return outcome.result;
}

async function build(app: App, name: string, {side, bodies}: BenchCase): Promise<number> {
  // Few substeps: it is the page that is measured, on a machine that it shares with the server.
  const {world} = good(await app.worlds.create({name, substeps: 2, wind: {velocity: [3, 0, 1.5]}}));
  await app.open(name);
  good(await app.commands.addCollider({kind: 'plane', position: [0, -1.6, 0]}));
  const pins = [0, side - 1];
  good(
    await app.commands.addBody({
      kind: 'cloth',
      ...cloth(side, 2, [-1, 1, -1]),
      pins,
      stretch: {compliance: 1e-7},
    }),
  );
  for (let i = 0; i < bodies; i++) {
    const corner = [-2.6 + 0.55 * i, 1.4, 1.3] as const;
    good(
      await app.commands.addBody({
        kind: 'cloth',
        ...cloth(SMALL_SIDE, 0.5, corner),
        pins: [0, SMALL_SIDE - 1],
      }),
    );
  }
  return world;
}

async function measure(
  app: App,
  view: Stage,
  of: BenchCase,
  seconds: number,
  report: BenchReport,
): Promise<BenchRow> {
  good(await app.commands.play(1));
  view.focus('all');
  await sleep(SETTLE_MS);
  const {meter} = view;
  view.measuring = true;
  meter.reset();
  const before = app.frames.counts;
  const from = performance.now();
  report.state = 'measuring';
  await sleep(1000 * seconds);
  report.state = 'running';
  const elapsed = (performance.now() - from) / 1000;
  const after = app.frames.counts;
  const {work, gaps} = meter;
  const stats = app.viewState.stats.peek();
  const row: BenchRow = {
    ...of,
    particles: stats.particles,
    triangles: stats.triangles,
    framesPerSecond: work.length / elapsed,
    mainMs: mean(work),
    mainMs95: quantile(work, 0.95),
    mainMsMax: work.reduce((most, ms) => Math.max(most, ms), 0),
    gapMs50: quantile(gaps, 0.5),
    gapMs95: quantile(gaps, 0.95),
    streamPerSecond: (after.frames - before.frames) / elapsed,
    dropped: after.dropped - before.dropped,
    delayMs: stats.delayMs,
    resolution: stats.resolution,
  };
  view.measuring = false;
  return row;
}

function show(rows: readonly BenchRow[]): void {
  const columns = [
    'side',
    'bodies',
    'particles',
    'triangles',
    'framesPerSecond',
    'mainMs',
    'mainMs95',
    'mainMsMax',
    'gapMs50',
    'gapMs95',
    'streamPerSecond',
    'dropped',
    'delayMs',
    'resolution',
  ] as const;
  const table = document.createElement('pre');
  table.className = 'bench';
  const lines = rows.map((row) =>
    columns.map((name) => String(Math.round(100 * row[name]) / 100).padStart(name.length)).join('  '),
  );
  table.textContent = [columns.join('  '), ...lines].join('\n');
  document.querySelector('pre.bench')?.remove();
  document.body.append(table);
}

export async function bench(app: App, view: Stage): Promise<void> {
  const report: BenchReport = {state: 'running', rows: [], error: ''};
  window.weftBench = report;
  const query = new URLSearchParams(location.search);
  const side = Number(query.get('bench'));
  const cases = side > 1 ? [{side, bodies: Number(query.get('bodies') ?? 10)}] : CASES;
  const seconds = Number(query.get('seconds') ?? 5);
  const light = LIGHTS.find((one) => one === query.get('light'));
  if (light) {
    app.viewState.light.value = light;
  }
  let world = 0;
  try {
    await app.client.opened();
    for (const [i, of] of cases.entries()) {
      world = await build(app, `bench ${i + 1} ${Date.now().toString(36)}`, of);
      const row = await measure(app, view, of, seconds, report);
      report.rows.push(row);
      show(report.rows);
      await app.worlds.remove(world);
      world = 0;
    }
    report.state = 'done';
  } catch (error) {
    report.error = error instanceof Error ? error.message : String(error);
    report.state = 'failed';
    if (world !== 0) {
      await app.worlds.remove(world);
    }
  }
}
