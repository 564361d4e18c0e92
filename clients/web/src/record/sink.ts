// Writers write to a sink: it gathers bytes and text into pieces of a megabyte, which go to a file or become parts of a
// blob. Memory stays bounded, because a writer waits until a piece is taken.

export interface Sink {
  write(part: Uint8Array | Blob): void | Promise<void>;
}

/** Keeps the parts, for a file that the browser saves as a whole. */
export class Parts implements Sink {
  readonly parts: BlobPart[] = [];

  write(part: Uint8Array | Blob): void {
    // As a blob, so that the browser may keep it on its disk.
    this.parts.push(part instanceof Blob ? part : new Blob([part as BlobPart]));
  }

  blob(type = ''): Blob {
    return new Blob(this.parts, {type});
  }
}

const PIECE_BYTES = 1 << 20;
const encoder = new TextEncoder();

export class Out {
  /** Bytes so far. */
  size = 0;
  private parts: Uint8Array[] = [];
  private waiting = 0;
  private text = '';

  constructor(
    private readonly sink: Sink,
    /** Sees all bytes in order. */
    private readonly watch: (bytes: Uint8Array) => void = () => {},
  ) {}

  /** To be awaited where it returns a promise. */
  say(text: string): void | Promise<void> {
    this.text += text;
    return this.text.length > PIECE_BYTES ? this.settle() : undefined;
  }

  /** The bytes are copied. */
  put(values: ArrayBufferView): void | Promise<void> {
    this.take();
    this.add(new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice());
    return this.waiting > PIECE_BYTES ? this.settle() : undefined;
  }

  async blob(blob: Blob): Promise<void> {
    await this.settle();
    this.size += blob.size;
    await this.sink.write(blob);
  }

  async settle(): Promise<void> {
    this.take();
    if (this.waiting === 0) {
      return;
    }
    const whole = new Uint8Array(this.waiting);
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.parts = [];
    this.waiting = 0;
    await this.sink.write(whole);
  }

  private take(): void {
    if (this.text !== '') {
      this.add(encoder.encode(this.text));
      this.text = '';
    }
  }

  private add(bytes: Uint8Array): void {
    this.watch(bytes);
    this.parts.push(bytes);
    this.waiting += bytes.length;
    this.size += bytes.length;
  }
}

/** As C's %.9g: as many digits as tell two 32-bit floats apart. */
export function digits(value: number, precision = 9): string {
  return String(Number(value.toPrecision(precision)));
}
