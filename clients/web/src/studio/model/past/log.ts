// The edits of a world's past, read page by page from edit.log: what is newest first, and what is before it when
// somebody asks for it. The pages are one list.
//
//     sequence   1 ─────────── from ══════════════ to ──▶          from, to: what was read; older() and newer() widen it
//
// Invariant: every edit with from < sequence ≤ to is there, unless it is one of the oldest of more than KEPT.
import {batch, computed, signal, type ReadonlySignal} from '@preact/signals';
import type {EditLogResult} from '../../../lib/index.js';
import {outcome, type Outcome} from '../outcome.js';
import {actsOf, namesOf, pastEditOf, type Act, type PastEdit} from './edits.js';

// Asks edit.log of the world that the log is of.
export type ReadLog = (since: number, limit: number) => Promise<EditLogResult>;

const PAGE = 512;
const KEPT = 20_000;
const FEW = 64;
// Of one widening; a page may hold fewer edits than were asked for, where they are large.
const PAGES_AT_ONCE = 64;

export class EditLog {
  private readonly own = {
    edits: signal<readonly PastEdit[]>([]),
    from: signal(0),
    known: signal(false),
    busy: signal(false),
  };
  private to = 0;

  // By sequence, ascending.
  readonly edits: ReadonlySignal<readonly PastEdit[]> = this.own.edits;
  readonly acts: ReadonlySignal<readonly Act[]> = computed(() => actsOf(this.own.edits.value));
  readonly names = computed(() => namesOf(this.own.edits.value));
  // Whether it was ever read.
  readonly known: ReadonlySignal<boolean> = this.own.known;
  readonly busy: ReadonlySignal<boolean> = this.own.busy;
  // Whether there are edits before those that are known, which older() would bring.
  readonly more: ReadonlySignal<boolean> = computed(
    () => this.own.from.value > 0 && this.own.edits.value.length < KEPT,
  );

  constructor(private readonly read: ReadLog) {}

  // What was made since it was last asked; the first time, the last pages there are.
  newer(): Promise<Outcome<unknown>> {
    return this.once(async () => {
      if (!this.own.known.peek()) {
        const {sequence} = await this.read(0, 1);
        this.to = Math.max(0, sequence - PAGE);
        this.own.from.value = this.to;
      }
      const {edits, end} = await this.between(this.to, Infinity);
      this.to = Math.max(this.to, end);
      batch(() => {
        this.own.known.value = true;
        if (edits.length > 0) {
          this.put([...this.own.edits.peek(), ...edits]);
        }
      });
    });
  }

  // About a page of edits before those that are known. Inputs have sequences too, and of a world that is played with
  // they are by far the most: where few edits are found, the next look reaches twice as far back.
  older(): Promise<Outcome<unknown>> {
    return this.once(async () => {
      for (let reach = PAGE, found = 0; this.own.from.peek() > 0 && found < FEW; reach *= 2) {
        const from = this.own.from.peek();
        const since = Math.max(0, from - reach);
        const {edits} = await this.between(since, from);
        found += edits.length;
        batch(() => {
          this.own.from.value = since;
          this.put([...edits, ...this.own.edits.peek()]);
        });
      }
    });
  }

  private put(edits: readonly PastEdit[]): void {
    const left = edits.length - KEPT;
    this.own.edits.value = left > 0 ? edits.slice(left) : edits;
    if (left > 0) {
      this.own.from.value = edits[left - 1]!.sequence;
    }
  }

  // Edits with since < sequence ≤ end, and how far the log was read.
  private async between(since: number, end: number): Promise<{edits: PastEdit[]; end: number}> {
    const edits: PastEdit[] = [];
    let read = since;
    for (let page = 0; page < PAGES_AT_ONCE; page++) {
      const {edits: entries, sequence, next} = await this.read(read, PAGE);
      const within = entries.filter((entry) => entry.sequence > read && entry.sequence <= end);
      edits.push(...within.map(pastEditOf));
      if (next <= read || next >= end || within.length < entries.length) {
        return {edits, end: Math.min(end, Math.max(sequence, read))};
      }
      read = next;
    }
    return {edits, end: read};
  }

  private async once(run: () => Promise<void>): Promise<Outcome<unknown>> {
    if (this.own.busy.peek()) {
      return {ok: true, result: null};
    }
    this.own.busy.value = true;
    try {
      return await outcome(run());
    } finally {
      this.own.busy.value = false;
    }
  }
}
