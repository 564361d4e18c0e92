// A second world beside the one that is open, to be compared with it: another one, or the same as it is now while its
// past is shown. It is looked at alone; nothing is done in it.
//
//     open: a past        beside: the same world now
//     open: now           beside: another world now
//     open: tick t        beside: another world at its tick t, as long as they go together; if it did not come so far,
//                                 at its last
import {computed, effect, signal, type ReadonlySignal, type Signal} from '@preact/signals';
import type {Client} from '../../../lib/index.js';
import {WorldDocument} from '../document.js';
import {Frames} from '../frames.js';
import type {Packing} from '../packing.js';
import {Past} from './past.js';

export class Beside {
  readonly document: WorldDocument;
  readonly frames: Frames;
  readonly past: Past;
  // Whether another world is shown at the same tick.
  readonly together: Signal<boolean> = signal(true);
  // Whether there is one.
  readonly shown: ReadonlySignal<boolean>;
  // Whether it is the same world as the one that is open.
  readonly same: ReadonlySignal<boolean>;

  private readonly offs: (() => void)[];
  private unwatch: (() => void) | null = null;

  constructor(
    client: Client,
    private readonly main: WorldDocument,
    past: Past,
    packing: Packing,
  ) {
    this.document = new WorldDocument(client);
    this.frames = new Frames(client, this.document, packing);
    this.past = new Past(client, this.document);
    this.shown = computed(() => this.document.phase.value !== 'none');
    this.same = computed(() => this.document.home.value !== 0 && this.document.home.value === main.home.value);
    let home = 0;
    this.offs = [
      effect(() => {
        const now = main.home.value;
        const left = home !== 0 && now !== home;
        home = now;
        // Of one world, now beside now shows nothing.
        const alike = this.same.value && past.at.value === null && main.viewOf.value === 0;
        if (this.shown.peek() && (left || alike)) {
          this.leave();
        }
      }),
      effect(() => {
        const at = past.at.value;
        const there = this.document.phase.value === 'joined' && !this.same.value;
        if (there && this.past.offered.value) {
          this.follow(this.together.value ? at : null);
        }
      }),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
    this.unwatch?.();
    this.past.close();
    this.frames.close();
    this.document.close();
  }

  // By its name; the one that is open, as it is now, by its own.
  async open(world: string): Promise<void> {
    this.leave();
    this.unwatch = this.past.watch();
    await this.document.open(world);
  }

  leave(): void {
    this.unwatch?.();
    this.unwatch = null;
    // The one that is open stays joined.
    this.document.shut(this.document.home.peek() === this.main.home.peek());
  }

  private follow(at: number | null): void {
    if (at !== null) {
      this.past.seek(at);
    } else if (this.past.at.peek() !== null) {
      void this.past.back();
    }
  }
}
