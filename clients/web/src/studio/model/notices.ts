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
  // The error that it tells of; null: of none.
  readonly error: WeftError | null;
  // Where on the page it happened, in CSS pixels; null for nowhere in particular.
  readonly where: {readonly x: number; readonly y: number} | null;
  // It stays until it is answered or dismissed.
  readonly action: Action | null;
  // Revision of the edit that the action is about; 0: of none.
  readonly about: number;
  // performance.now()
  readonly at: number;
}

const KEPT = 20;

export class Notices {
  private readonly own = signal<readonly Notice[]>([]);
  private next = 1;

  // Oldest first.
  readonly list: ReadonlySignal<readonly Notice[]> = this.own;
  // Makes the sentence of an error. The panels set it, because they know what things and people are called.
  words = (error: WeftError): string => error.text;

  error(error: WeftError, where: Notice['where'] = null): void {
    this.put({kind: 'error', text: this.words(error), error, where, action: null, about: 0});
  }

  info(text: string, where: Notice['where'] = null): void {
    this.put({kind: 'info', text, error: null, where, action: null, about: 0});
  }

  // A later offer of the same kind replaces the earlier one.
  offer(text: string, action: Action, about = 0): void {
    this.put({kind: 'info', text, error: null, where: null, action, about});
  }

  // An error, and the question whether it shall be done all the same.
  refusal(error: WeftError, text: string, where: Notice['where'], action: Action): void {
    this.put({kind: 'error', text, error, where, action, about: 0});
  }

  // The edit of that revision does not stand any more: offers to undo it go.
  settle(revision: number): void {
    this.own.value = this.own.peek().filter(({action, about}) => action === null || about !== revision);
  }

  // Questions whose buttons have this name are answered.
  answered(name: string): void {
    this.own.value = this.own.peek().filter(({action}) => action?.name !== name);
  }

  // The questions are about a world that is not shown any more.
  forget(): void {
    this.own.value = this.own.peek().filter(({action}) => action === null);
  }

  dismiss(id: number): void {
    this.own.value = this.own.peek().filter((notice) => notice.id !== id);
  }

  private put(notice: Omit<Notice, 'id' | 'at'>): void {
    const last = this.own.peek()[this.own.peek().length - 1];
    // The same words again are one notice that is new again.
    const repeated = last && last.text === notice.text && !last.action;
    const others = (repeated ? this.own.peek().slice(0, -1) : this.own.peek()).filter(
      ({action}) => action === null || action.name !== notice.action?.name,
    );
    this.own.value = [...others.slice(1 - KEPT), {...notice, id: this.next++, at: performance.now()}];
  }
}
