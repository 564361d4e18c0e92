// Worlds that this page edited since they were last saved as a file: where worlds end with the page, that is work that would be
// lost. What hands do to a world that runs (grabs, and what is led along) is no such work.
import {effect, signal, type ReadonlySignal} from '@preact/signals';
import type {Client} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import type {Worlds} from './worlds.js';

export class Unsaved {
  // By id; the revision of the last edit.
  private readonly own = signal<ReadonlyMap<number, number>>(new Map());
  private readonly offs: (() => void)[];

  readonly worlds: ReadonlySignal<ReadonlyMap<number, number>> = this.own;

  constructor(client: Client, document: WorldDocument, worlds: Worlds) {
    this.offs = [
      document.onEdit(({mine, motion, revision}) => {
        if (mine && !motion) {
          this.own.value = new Map([...this.own.peek(), [document.home.peek(), revision]]);
        }
      }),
      client.onSession((change) => {
        if (change === 'anew') {
          this.keep(() => false); // what was there is gone
        }
      }),
      effect(() => {
        const there = new Set(worlds.list.value.map(({world}) => world));
        this.keep((world) => there.has(world));
      }),
    ];
  }

  // A file has the world as it was at that revision.
  saved(world: number, revision: number): void {
    this.keep((one, last) => one !== world || last > revision);
  }

  close(): void {
    this.offs.forEach((off) => off());
  }

  private keep(which: (world: number, revision: number) => boolean): void {
    const before = this.own.peek();
    const kept = new Map([...before].filter(([world, revision]) => which(world, revision)));
    if (kept.size < before.size) {
      this.own.value = kept;
    }
  }
}
