// Short words to the person at the page: errors where they happen, another's edit. The view and the panels put them
// here; the user interface shows and dismisses them.
import {signal, type ReadonlySignal} from '@preact/signals';
import type {WeftError} from '../../lib/index.js';

// What can be done about it, as long as it is shown.
export interface Action {
  readonly name: string;
  run(): void;
}

export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'info';
  readonly text: string;
  // Of an error, in the server's words.
  readonly error: WeftError | null;
  // Where on the page it happened, in CSS pixels; null for nowhere in particular.
  readonly where: {readonly x: number; readonly y: number} | null;
  readonly action: Action | null;
  // performance.now()
  readonly at: number;
}

const KEPT = 20;

export class Notices {
  private readonly own = signal<readonly Notice[]>([]);
  private next = 1;

  // Oldest first.
  readonly list: ReadonlySignal<readonly Notice[]> = this.own;

  error(error: WeftError, where: Notice['where'] = null): void {
    this.put({kind: 'error', text: error.text, error, where, action: null});
  }

  info(text: string, where: Notice['where'] = null): void {
    this.put({kind: 'info', text, error: null, where, action: null});
  }

  offer(text: string, action: Action): void {
    this.put({kind: 'info', text, error: null, where: null, action});
  }

  // An error, and what can be done all the same.
  refusal(error: WeftError, where: Notice['where'], action: Action): void {
    this.put({kind: 'error', text: error.text, error, where, action});
  }

  dismiss(id: number): void {
    this.own.value = this.own.peek().filter((notice) => notice.id !== id);
  }

  private put(notice: Omit<Notice, 'id' | 'at'>): void {
    const last = this.own.peek()[this.own.peek().length - 1];
    // The same words again are one notice that is new again.
    const others =
      last && last.text === notice.text && !last.action ? this.own.peek().slice(0, -1) : this.own.peek();
    this.own.value = [...others.slice(1 - KEPT), {...notice, id: this.next++, at: performance.now()}];
  }
}
