// How long the main thread works for each frame: the handlers of the connection's messages, and drawing.
//
// Message handlers are met by wrapping the socket's class: what its handler does (decoding, the model, listeners) counts
// towards the frame that comes next.
import type {WebSocketLike} from '../../lib/index.js';

type SocketClass = new (url: string) => WebSocketLike;

export class Meter {
  // Of the frames since the last reset(), in ms.
  readonly work: number[] = [];
  // From one frame to the next, in ms.
  readonly gaps: number[] = [];
  private messages = 0;
  private last = NaN;

  // A socket whose message handler is timed.
  socket(Base: SocketClass = WebSocket as SocketClass): SocketClass {
    const {add} = this;
    return class extends Base {
      override set onmessage(handler: ((event: any) => void) | null) {
        super.onmessage =
          handler &&
          ((event: unknown) => {
            const from = performance.now();
            handler.call(this, event);
            add(performance.now() - from);
          });
      }
      override get onmessage() {
        return super.onmessage;
      }
    };
  }

  readonly add = (ms: number): void => {
    this.messages += ms;
  };

  // A frame that began at `from` is done.
  frame(from: number, now: number): void {
    this.work.push(now - from + this.messages);
    this.messages = 0;
    if (!Number.isNaN(this.last)) {
      this.gaps.push(from - this.last);
    }
    this.last = from;
    if (this.work.length > 10_000) {
      this.reset();
    }
  }

  // Nothing was drawn: the page rests.
  rest(): void {
    this.last = NaN;
    this.messages = 0;
  }

  reset(): void {
    this.work.length = 0;
    this.gaps.length = 0;
  }
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
