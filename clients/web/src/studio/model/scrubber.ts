// One tick of a world at rest, substep by substep: run it once, keep every moment of it, look at any of them.
//
//     capture():  (t, 0) (t, 1) … (t, n − 1) (t + 1, 0)        the first is the state before, the last the one after
//
// While one of them is shown the view draws it instead of what comes live. It ends when the world plays, when it is
// reset, or with leave(). Other edits leave it as it is: it shows the world before them.
import {batch, computed, effect, signal, type ReadonlySignal} from '@preact/signals';
import {WeftError, type Client, type Frame, type Stream} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import {outcome, refused, type Outcome} from './outcome.js';

export class Scrubber {
  private readonly own = {
    moments: signal<readonly Frame[]>([]),
    index: signal(0),
    busy: signal(false),
    edited: signal(false),
  };

  // How many moments there are to look at; 0 while none are.
  readonly count: ReadonlySignal<number> = computed(() => this.own.moments.value.length);
  readonly index: ReadonlySignal<number> = this.own.index;
  readonly busy: ReadonlySignal<boolean> = this.own.busy;
  // Whether the world was edited since.
  readonly edited: ReadonlySignal<boolean> = this.own.edited;
  // What the view draws instead of the live stream; null for the live stream.
  readonly shown: ReadonlySignal<Frame | null> = computed(
    () => this.own.moments.value[this.own.index.value] ?? null,
  );

  private readonly offs: (() => void)[];

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
  ) {
    let epoch = document.epoch.peek();
    this.offs = [
      effect(() => {
        if (document.playing.value || document.epoch.value !== epoch || document.phase.value !== 'joined') {
          epoch = document.epoch.value;
          this.leave();
        }
      }),
      document.onEdit(({method}) => {
        if (method === 'world.reset') this.leave();
        else if (this.count.peek() > 0) this.own.edited.value = true;
      }),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
  }

  // Runs one tick and shows its first moment. A world that plays is refused by the server.
  async capture(): Promise<Outcome<{readonly moments: number}>> {
    const world = this.document.world.peek();
    if (this.own.busy.peek() || this.document.phase.peek() !== 'joined') {
      return refused(new WeftError({kind: 1, code: 'CONFLICT', text: 'substeps cannot be shown now'}));
    }
    const moments: Frame[] = [];
    let stream: Stream | null = null;
    this.own.busy.value = true;
    try {
      return await outcome(
        (async () => {
          const params = {
            world,
            unit: 'substep',
            every: 1,
            fields: ['positions', 'grabs', 'colliders'],
          } as const;
          stream = await this.client.subscribe(params, (frame) => {
            // One that was being shown when the stream began is the same moment.
            const last = moments[moments.length - 1];
            if (last && last.tick === frame.tick && last.substep === frame.substep) {
              moments.pop();
            }
            moments.push(frame);
          });
          const {tick} = await this.client.call('world.step', {world, ticks: 1});
          await this.until(() => moments.some((moment) => moment.tick >= tick));
          batch(() => {
            this.own.moments.value = moments.filter((moment) => moment.tick >= tick - 1);
            this.own.index.value = 0;
            this.own.edited.value = false;
          });
          return {moments: this.own.moments.peek().length};
        })(),
      );
    } finally {
      this.own.busy.value = false;
      await (stream as Stream | null)?.close().catch(() => undefined);
    }
  }

  show(index: number): void {
    this.own.index.value = Math.max(0, Math.min(this.own.moments.peek().length - 1, Math.round(index)));
  }

  leave(): void {
    if (this.own.moments.peek().length > 0) {
      batch(() => {
        this.own.moments.value = [];
        this.own.index.value = 0;
      });
    }
  }

  // The answer to world.step may overtake the last frame, and of a large world it may never come.
  private async until(there: () => boolean): Promise<void> {
    for (let waited = 0; !there() && waited < 2000; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
