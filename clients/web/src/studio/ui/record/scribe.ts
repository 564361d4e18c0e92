// The page's side of worker.ts: takes the frames of a recording, and says when its file is written.
import type {TakenScene} from '../../../record/index.js';
import type {Keeper} from './source.js';
import type {Asked, Told} from './worker.js';

export type Written = Omit<Extract<Told, {kind: 'done'}>, 'kind'>;

export class Scribe implements Keeper {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), {type: 'module', name: 'record'});
  private kept: TakenScene;

  constructor(scene: TakenScene, signal: AbortSignal) {
    this.kept = scene;
    this.post({kind: 'scene', scene});
    signal.addEventListener('abort', () => this.end(), {once: true});
  }

  get scene(): TakenScene {
    return this.kept;
  }

  set scene(scene: TakenScene) {
    this.kept = scene;
    this.post({kind: 'scene', scene});
  }

  add(tick: number, frame: Float32Array): void {
    this.post({kind: 'frame', tick, frame}, [frame.buffer]);
  }

  write(asked: Omit<Extract<Asked, {kind: 'write'}>, 'kind'>, tell: (share: number) => void, signal: AbortSignal): Promise<Written> {
    return new Promise((done, failed) => {
      signal.addEventListener('abort', () => failed(signal.reason), {once: true});
      this.worker.onerror = (event) => failed(new Error(`The browser stopped it. ${event.message ?? ''}`.trim()));
      this.worker.onmessage = ({data}: MessageEvent<Told>) => {
        if (data.kind === 'progress') {
          tell(data.share);
        } else if (data.kind === 'failed') {
          failed(new Error(data.text));
        } else {
          done(data);
        }
      };
      this.post({kind: 'write', ...asked});
    });
  }

  end(): void {
    this.worker.terminate();
  }

  private post(asked: Asked, moved: Transferable[] = []): void {
    this.worker.postMessage(asked, moved);
  }
}
