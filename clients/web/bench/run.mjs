// Runs the page's benchmark (bench/page.ts) in a headless Chromium against a server of its own.
//
//     WEFTD=PROGRAM WEFT_STUDIO_DIR=DIRECTORY node bench/run.mjs [--side N] [--bodies N] [--seconds N] [--light plain|best] [--json FILE] [--chromium PROGRAM]
//
// To what the page says it adds the processor time of the page's main thread for a frame (cpuMs), which does not grow
// when the machine is busy with other things, its share in script (scriptMs), and of the script of single frames what
// 95 of 100 keep below and the longest (scriptMs95, scriptMsMax; from Chromium's trace). Times of the page (mainMs) are
// those of a clock on the wall: on few cores, where the processor draws too, they have waiting in them.
import {spawn} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';

const {values: options} = parseArgs({
  options: {
    side: {type: 'string'},
    bodies: {type: 'string', default: '10'},
    seconds: {type: 'string', default: '5'},
    light: {type: 'string'},
    json: {type: 'string'},
    chromium: {type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium'},
    patience: {type: 'string', default: '600'},
  },
});

function fail(text) {
  console.error(`bench: ${text}`);
  process.exit(1);
}

async function startServer() {
  const program = process.env.WEFTD;
  const studio = process.env.WEFT_STUDIO_DIR;
  if (!program || !studio || !existsSync(studio)) {
    fail('set WEFTD to the server and WEFT_STUDIO_DIR to the directory of the built studio');
  }
  const child = spawn(program, ['--listen', '127.0.0.1:0', '--http', '127.0.0.1:0', '--studio', studio], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const http = await new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the server says nothing: ${output}`)), 10_000);
    child.on('exit', () => reject(new Error(`the server ended: ${output}`)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
      const found = /^listening http (\S+)$/m.exec(output);
      if (found) {
        clearTimeout(timer);
        child.removeAllListeners('exit');
        resolve(found[1]);
      }
    });
  });
  return {child, http};
}

// Drawing on the processor, so that the outcome does not depend on the machine's graphics card.
const FLAGS = ['--headless=new', '--no-sandbox', '--enable-unsafe-swiftshader'];

async function threadTimes(cdp) {
  const {metrics} = await cdp.send('Performance.getMetrics');
  const of = (name) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  return {task: of('TaskDuration'), script: of('ScriptDuration')};
}

// The script of each frame in ms of the thread: that of the animation frame, and of what came in since the last one.
function scriptOfFrames(trace) {
  const first = trace.find(({name}) => name === 'FireAnimationFrame');
  const own = trace
    .filter(({pid, tid}) => pid === first?.pid && tid === first?.tid)
    .filter(({name, tdur}) => (name === 'FireAnimationFrame' || name === 'FunctionCall') && tdur !== undefined)
    .sort((a, b) => a.ts - b.ts);
  const frames = [];
  let sum = 0;
  let end = 0;
  for (const {name, ts, dur, tdur} of own) {
    // What a frame calls is part of it.
    if (ts < end) continue;
    end = ts + dur;
    sum += tdur / 1000;
    if (name !== 'FireAnimationFrame') continue;
    frames.push(sum);
    sum = 0;
  }
  return frames.sort((a, b) => a - b);
}

// Follows the page through its cases and takes the thread's times where a measurement begins and ends.
async function follow(page, cdp) {
  const cpu = [];
  let from = null;
  const end = Date.now() + 1000 * Number(options.patience);
  for (;;) {
    const {state, rows, error} = await page.evaluate(
      () => window.weftBench ?? {state: 'starting', rows: [], error: ''},
    );
    if (state === 'measuring' && from === null) {
      await browser.startTracing(page, {categories: ['devtools.timeline']});
      from = {...(await threadTimes(cdp)), at: Date.now()};
    } else if (state !== 'measuring' && from !== null) {
      const to = await threadTimes(cdp);
      cpu.push({
        task: to.task - from.task,
        script: to.script - from.script,
        seconds: (Date.now() - from.at) / 1000,
      });
      from = null;
      const frames = scriptOfFrames(JSON.parse((await browser.stopTracing()).toString()).traceEvents);
      Object.assign(cpu[cpu.length - 1], {
        most: frames.at(-1) ?? 0,
        of95: frames[Math.floor(0.95 * frames.length)] ?? 0,
      });
    }
    if (state === 'failed') {
      throw new Error(error);
    }
    if (state === 'done') {
      return rows.map((row, i) => {
        const frames = Math.max(1, row.framesPerSecond * (cpu[i]?.seconds ?? 1));
        const {task = 0, script = 0, of95 = 0, most = 0} = cpu[i] ?? {};
        return {
          ...row,
          cpuMs: task / frames,
          scriptMs: script / frames,
          scriptMs95: of95,
          scriptMsMax: most,
        };
      });
    }
    if (Date.now() > end) {
      throw new Error(`not done after ${options.patience} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function print(rows) {
  const columns = [
    'side',
    'bodies',
    'particles',
    'triangles',
    'framesPerSecond',
    'cpuMs',
    'scriptMs',
    'scriptMs95',
    'scriptMsMax',
    'mainMs',
    'mainMs95',
    'mainMsMax',
    'streamPerSecond',
    'dropped',
    'delayMs',
    'resolution',
  ];
  console.log(columns.join('  '));
  for (const row of rows) {
    console.log(
      columns.map((name) => String(Math.round(100 * row[name]) / 100).padStart(name.length)).join('  '),
    );
  }
}

const server = await startServer();
let browser = null;
try {
  browser = await chromium.launch({executablePath: options.chromium, args: FLAGS});
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', {timeDomain: 'threadTicks'});
  const side = options.side ? `=${options.side}&bodies=${options.bodies}` : '';
  await page.goto(`http://${server.http}/?bench${side}&seconds=${options.seconds}${options.light ? `&light=${options.light}` : ''}`);
  const rows = await follow(page, cdp);
  print(rows);
  if (options.json) {
    writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
  }
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
} finally {
  await browser?.close();
  server.child.kill();
}
