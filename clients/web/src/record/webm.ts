// WebM, as far as a picture without sound needs it: a header, clusters of encoded pictures, and the places of key
// pictures. Sizes are written when they are known, so the file can also be played from a pipe.
//
//     EBML | Segment ( Info, Tracks, Cluster …, Cues )      an element: id | size | what is in it
import type {Sink} from './sink.js';

const CLUSTER_MS = 5_000;
// Nanoseconds of a unit of time: milliseconds, as most players expect.
const SCALE = 1_000_000;
const UNKNOWN = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

type Content = number[] | Uint8Array | readonly Content[];

function bytesOf(content: Content): Uint8Array {
  if (content instanceof Uint8Array) {
    return content;
  }
  if (content.every((item) => typeof item === 'number')) {
    return Uint8Array.from(content as number[]);
  }
  const parts = (content as Content[]).map(bytesOf);
  const whole = new Uint8Array(parts.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// The least number of bytes, the highest first.
function uint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) {
    bytes.unshift(rest % 256);
  }
  return bytes;
}

function float64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

const text = (value: string) => new TextEncoder().encode(value);

function element(id: number, content: Content): Uint8Array {
  const bytes = bytesOf(content);
  const size = uint(bytes.length);
  // Eight bytes of size, of which the first has the mark alone.
  return bytesOf([uint(id), [0x01, ...new Array<number>(7 - size.length).fill(0), ...size], bytes]);
}

/** An encoded picture. */
export interface Block {
  readonly data: Uint8Array;
  readonly timeMs: number;
  readonly isKey: boolean;
}

export interface Picture {
  readonly codec: 'V_VP8' | 'V_VP9';
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
}

export class Webm {
  private at = 0;
  // Bytes before what is in the segment.
  private segment = 0;
  private cluster: {readonly from: number; readonly blocks: Uint8Array[]} | null = null;
  private readonly cues: {readonly time: number; readonly at: number}[] = [];

  private constructor(private readonly sink: Sink) {}

  static async begin(sink: Sink, {codec, width, height, durationMs}: Picture): Promise<Webm> {
    const webm = new Webm(sink);
    await webm.put(
      element(0x1a45dfa3, [
        element(0x4286, [1]),
        element(0x42f7, [1]),
        element(0x42f2, [4]),
        element(0x42f3, [8]),
        element(0x4282, text('webm')),
        element(0x4287, [2]),
        element(0x4285, [2]),
      ]),
    );
    await webm.put(bytesOf([uint(0x18538067), UNKNOWN]));
    webm.segment = webm.at;
    await webm.put(
      element(0x1549a966, [
        element(0x2ad7b1, uint(SCALE)),
        element(0x4489, float64(durationMs)),
        element(0x4d80, text('weft')),
        element(0x5741, text('weft')),
      ]),
    );
    const video = element(0xe0, [element(0xb0, uint(width)), element(0xba, uint(height))]);
    const track = [element(0xd7, [1]), element(0x73c5, [1]), element(0x83, [1]), element(0x86, text(codec)), video];
    await webm.put(element(0x1654ae6b, element(0xae, track)));
    return webm;
  }

  async add({data, timeMs, isKey}: Block): Promise<void> {
    const time = Math.round(timeMs);
    if (!this.cluster || (isKey && time - this.cluster.from >= CLUSTER_MS) || time - this.cluster.from > 0x7fff) {
      await this.close();
      this.cluster = {from: time, blocks: []};
    }
    const {from, blocks} = this.cluster;
    if (isKey && blocks.length === 0) {
      this.cues.push({time, at: this.at - this.segment});
    }
    const offset = time - from;
    blocks.push(element(0xa3, [[0x81, offset >> 8, offset & 255, isKey ? 0x80 : 0], data]));
  }

  async end(): Promise<void> {
    await this.close();
    const points = this.cues.map(({time, at}) =>
      element(0xbb, [element(0xb3, uint(time)), element(0xb7, [element(0xf7, [1]), element(0xf1, uint(at))])]),
    );
    await this.put(element(0x1c53bb6b, points));
  }

  private async close(): Promise<void> {
    if (this.cluster) {
      const {from, blocks} = this.cluster;
      this.cluster = null;
      await this.put(element(0x1f43b675, [element(0xe7, uint(from)), ...blocks]));
    }
  }

  private async put(bytes: Uint8Array): Promise<void> {
    this.at += bytes.length;
    await this.sink.write(bytes);
  }
}
