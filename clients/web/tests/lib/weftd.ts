// A real weftd for a test, on free ports; WEFTD names the program.
import {spawn, type ChildProcess} from 'node:child_process';

export const WEFTD = process.env['WEFTD'] ?? '';
// Ends what hangs; nothing takes so long.
const HANG_MS = 60_000;

export class Weftd {
  private output = '';
  private secure = false;

  private constructor(
    private readonly child: ChildProcess,
    public http: string,
  ) {}

  /** Resolves when it listens. */
  static async start(http = '127.0.0.1:0', ...options: string[]): Promise<Weftd> {
    const child = spawn(WEFTD, ['--listen', '127.0.0.1:0', '--http', http, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const server = new Weftd(child, '');
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => fail('says nothing'), HANG_MS);
      const fail = (why: string) => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        reject(new Error(`${WEFTD} ${why}: ${server.output}`));
      };
      child.on('error', (error) => fail(error.message));
      child.on('exit', () => fail('ended'));
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        server.output += text;
        const found = /^listening http (\S+)( \(tls\))?$/m.exec(server.output);
        if (found !== null && server.http === '') {
          server.http = found[1]!;
          server.secure = found[2] !== undefined;
          clearTimeout(timer);
          child.removeAllListeners('exit');
          resolve();
        }
      });
    });
    return server;
  }

  /** Where programs connect. */
  get tcp(): string {
    return /^listening rpc (\S+)(?: \(tls\))?$/m.exec(this.output)?.[1] ?? '';
  }

  get url(): string {
    return `${this.secure ? 'wss' : 'ws'}://${this.http}/ws`;
  }

  /** Ends it, and sees it end. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) {
      return;
    }
    const ended = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), HANG_MS);
    await ended;
    clearTimeout(timer);
  }
}

/** Waits until it holds, looking often. */
export async function until(holds: () => boolean, what: string, withinMs = HANG_MS): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) {
      throw new Error(`did not come about in ${withinMs} ms: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A cloth of n × n particles, 1 m wide, held at two corners. */
export function cloth(n: number): {
  kind: 'cloth';
  positions: Float32Array;
  triangles: Uint32Array;
  pins: number[];
} {
  const positions = new Float32Array(3 * n * n);
  const triangles = new Uint32Array(6 * (n - 1) * (n - 1));
  let t = 0;
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const i = y * n + x;
      positions.set([x / (n - 1), 1, y / (n - 1)], 3 * i);
      if (x + 1 < n && y + 1 < n) {
        triangles.set([i, i + n, i + 1, i + 1, i + n, i + n + 1], t);
        t += 6;
      }
    }
  }
  return {kind: 'cloth', positions, triangles, pins: [0, n - 1]};
}
