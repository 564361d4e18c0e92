// A video of the picture: each tick is shown, drawn in the size of the video, encoded by the browser, and only then the
// next one is shown. So a slow machine takes longer and loses nothing.
//
// Without WebCodecs (pages that are not secure have none) MediaRecorder takes the pictures at the pace at which it is
// played.
import {Webm, type Sink} from '../../../record/index.js';
import type {App} from '../../model/app.js';
import type {Frame} from '../../../lib/index.js';
import type {Watch} from './source.js';

export interface VideoAsked {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
}

export interface Ticks {
  // null: from now on, as it plays.
  readonly first: number | null;
  readonly count: number;
  readonly every: number;
}

const BITS_PER_PIXEL = 0.15;
const KEY_S = 2;
const QUEUE_MOST = 4;

export function bitsPerSecond({width, height, frameRate}: VideoAsked): number {
  return Math.round(BITS_PER_PIXEL * width * height * frameRate);
}

interface Recorder {
  add(canvas: HTMLCanvasElement, index: number): void | Promise<void>;
  end(): Promise<void>;
  close(): void;
}

const CODECS = [
  {codec: 'vp09.00.51.08', webm: 'V_VP9'},
  {codec: 'vp8', webm: 'V_VP8'},
] as const;

async function encoderFor(asked: VideoAsked): Promise<{config: VideoEncoderConfig; webm: 'V_VP8' | 'V_VP9'} | null> {
  if (typeof VideoEncoder === 'undefined') {
    return null;
  }
  for (const {codec, webm} of CODECS) {
    const config = {
      codec,
      width: asked.width,
      height: asked.height,
      bitrate: bitsPerSecond(asked),
      framerate: asked.frameRate,
    };
    if ((await VideoEncoder.isConfigSupported(config)).supported) {
      return {config, webm};
    }
  }
  return null;
}

class Encoded implements Recorder {
  private failure: unknown = null;
  private written: Promise<void> = Promise.resolve();

  private constructor(
    private readonly encoder: VideoEncoder,
    private readonly webm: Webm,
    private readonly frameRate: number,
  ) {}

  static async begin(asked: VideoAsked, count: number, sink: Sink): Promise<Encoded | null> {
    const way = await encoderFor(asked);
    if (!way) {
      return null;
    }
    const {width, height, frameRate} = asked;
    const webm = await Webm.begin(sink, {codec: way.webm, width, height, durationMs: (1000 * count) / frameRate});
    let made: Encoded | null = null;
    const encoder = new VideoEncoder({
      output: (chunk) => made?.take(chunk),
      error: (error) => made && (made.failure = error),
    });
    encoder.configure(way.config);
    made = new Encoded(encoder, webm, frameRate);
    return made;
  }

  async add(canvas: HTMLCanvasElement, index: number): Promise<void> {
    const frame = new VideoFrame(canvas, {
      timestamp: Math.round((1e6 * index) / this.frameRate),
      duration: Math.round(1e6 / this.frameRate),
    });
    this.encoder.encode(frame, {keyFrame: index % Math.max(1, Math.round(KEY_S * this.frameRate)) === 0});
    frame.close();
    while (this.encoder.encodeQueueSize > QUEUE_MOST) {
      await new Promise((next) => this.encoder.addEventListener('dequeue', next, {once: true}));
    }
    this.check();
  }

  async end(): Promise<void> {
    await this.encoder.flush();
    await this.written;
    this.check();
    await this.webm.end();
  }

  close(): void {
    if (this.encoder.state !== 'closed') {
      this.encoder.close();
    }
  }

  private take(chunk: EncodedVideoChunk): void {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    const block = {data, timeMs: chunk.timestamp / 1000, isKey: chunk.type === 'key'};
    this.written = this.written.then(() => this.webm.add(block));
  }

  private check(): void {
    if (this.failure) {
      throw new Error(`The browser could not encode the video: ${String(this.failure)}`);
    }
  }
}

class Played implements Recorder {
  private readonly context: CanvasRenderingContext2D;
  private readonly recorder: MediaRecorder;
  private readonly track: CanvasCaptureMediaStreamTrack;
  private last = 0;

  constructor(
    {width, height, frameRate}: VideoAsked,
    private readonly sink: Sink,
  ) {
    if (typeof MediaRecorder === 'undefined') {
      throw new Error('This browser cannot record videos.');
    }
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    this.context = canvas.getContext('2d')!;
    const stream = canvas.captureStream(0);
    this.track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
    const videoBitsPerSecond = bitsPerSecond({width, height, frameRate});
    this.recorder = new MediaRecorder(stream, {mimeType: 'video/webm', videoBitsPerSecond});
    this.recorder.ondataavailable = ({data}) => void this.sink.write(data);
    this.gap = 1000 / frameRate;
    this.recorder.start(1000);
  }

  private readonly gap: number;

  async add(canvas: HTMLCanvasElement): Promise<void> {
    this.context.drawImage(canvas, 0, 0);
    this.track.requestFrame();
    const now = performance.now();
    const left = this.last + this.gap - now;
    this.last = Math.max(now, this.last + this.gap);
    await new Promise((next) => setTimeout(next, Math.max(0, left)));
  }

  async end(): Promise<void> {
    await new Promise((done) => {
      this.recorder.onstop = done;
      this.recorder.stop();
    });
  }

  close(): void {
    this.track.stop();
  }
}

// -- what is shown

function nextFrame(app: App, wanted: (frame: Frame) => boolean, signal: AbortSignal): Promise<Frame> {
  return new Promise((done, failed) => {
    const offs: (() => void)[] = [];
    const end = () => offs.forEach((off) => off());
    offs.push(
      app.frames.onFrame((frame) => {
        if (frame.world === app.document.world.peek() && wanted(frame)) {
          end();
          done(frame);
        }
      }),
      app.past.error.subscribe((error) => {
        if (error) {
          end();
          failed(error);
        }
      }),
    );
    signal.addEventListener(
      'abort',
      () => {
        end();
        failed(signal.reason);
      },
      {once: true},
    );
  });
}

async function showPast(app: App, tick: number, signal: AbortSignal): Promise<void> {
  if (app.past.shown.peek() && app.past.at.peek() === tick && app.view?.tick === tick) {
    return;
  }
  const arrived = nextFrame(app, (frame) => frame.tick === tick && app.past.shown.peek(), signal);
  app.past.seek(tick);
  await arrived;
  if (!app.past.exact.peek()) {
    throw new Error('A part of that range was computed by another version of the solver. Choose a range after it.');
  }
}

export async function writeVideo(app: App, asked: VideoAsked, ticks: Ticks, sink: Sink, {tell, signal}: Watch): Promise<void> {
  const {view} = app;
  if (!view) {
    throw new Error('Without a picture there is no video: this browser has no WebGL.');
  }
  const {first, count, every} = ticks;
  const before = app.past.at.peek();
  const recorder: Recorder = (await Encoded.begin(asked, count, sink)) ?? new Played(asked, sink);
  try {
    for (let i = 0, next = 0; i < count; i++) {
      signal.throwIfAborted();
      if (first === null) {
        next = (await nextFrame(app, ({tick}) => tick >= next, signal)).tick + every;
      } else {
        await showPast(app, first + i * every, signal);
      }
      let added: void | Promise<void>;
      await view.still({...asked, transparent: false}, (canvas) => (added = recorder.add(canvas, i)));
      await added!;
      tell((i + 1) / count);
    }
    await recorder.end();
  } finally {
    recorder.close();
    if (first !== null) {
      await (before === null ? app.past.back() : app.past.seek(before));
    }
  }
}

export async function pictureOf(app: App, width: number, height: number, transparent: boolean): Promise<Blob> {
  let made: Promise<Blob | null> = Promise.resolve(null);
  await app.view?.still({width, height, transparent}, (canvas) => {
    // The picture on the canvas is gone with the next task.
    const copy = document.createElement('canvas');
    copy.width = width;
    copy.height = height;
    copy.getContext('2d')!.drawImage(canvas, 0, 0);
    made = new Promise((done) => copy.toBlob(done, 'image/png'));
  });
  const blob = await made;
  if (!blob) {
    throw new Error('The picture could not be created.');
  }
  return blob;
}

