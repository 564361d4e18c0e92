// Keeps the frames of a recording and writes its file, beside the page. The page ends the worker to cancel that.
import {Parts, Take, writeTake, type Format, type Pace, type Sink, type TakenScene} from '../../../record/index.js';

export type Asked =
  | {readonly kind: 'scene'; readonly scene: TakenScene}
  | {readonly kind: 'frame'; readonly tick: number; readonly frame: Float32Array}
  | {
      readonly kind: 'write';
      readonly format: Format;
      readonly stem: string;
      readonly pace: Pace;
      // The file to write; if absent, a blob is made.
      readonly file?: FileSystemFileHandle;
    };

export type Told =
  | {readonly kind: 'progress'; readonly share: number}
  // blob: absent if it is in the file.
  | {readonly kind: 'done'; readonly bytes: number; readonly blob?: Blob}
  | {readonly kind: 'failed'; readonly text: string};

const TELL_MS = 100;

const say = (told: Told) => (postMessage as (message: Told) => void)(told);

let take: Take | null = null;

class FileSink implements Sink {
  bytes = 0;

  constructor(private readonly stream: FileSystemWritableFileStream) {}

  async write(part: Uint8Array | Blob): Promise<void> {
    this.bytes += part instanceof Blob ? part.size : part.byteLength;
    await this.stream.write(part as FileSystemWriteChunkType);
  }
}

async function write(kept: Take, {format, stem, pace, file}: Extract<Asked, {kind: 'write'}>): Promise<void> {
  let told = 0;
  const tell = (share: number) => {
    if (performance.now() - told > TELL_MS) {
      told = performance.now();
      say({kind: 'progress', share});
    }
  };
  if (!file) {
    const parts = new Parts();
    await writeTake(kept, format, stem, pace, parts, tell);
    const blob = parts.blob();
    say({kind: 'done', bytes: blob.size, blob});
    return;
  }
  // The new file replaces the old one when it is closed; a worker that is ended leaves the old one.
  const stream = await file.createWritable();
  const sink = new FileSink(stream);
  await writeTake(kept, format, stem, pace, sink, tell);
  await stream.close();
  say({kind: 'done', bytes: sink.bytes});
}

async function work(data: Asked): Promise<void> {
  if (data.kind === 'scene') {
    if (take) {
      take.scene = data.scene;
    } else {
      take = new Take(data.scene);
    }
  } else if (data.kind === 'frame') {
    take?.add(data.tick, data.frame);
  } else if (take) {
    await write(take, data);
  }
}

addEventListener('message', ({data}: MessageEvent<Asked>) => {
  work(data).catch((error: unknown) =>
    say({kind: 'failed', text: error instanceof Error ? error.message : String(error)}),
  );
});
