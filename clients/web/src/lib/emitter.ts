// Lists of callbacks.

/** Calls back. An exception of the callback surfaces as an uncaught error after the caller is done, so one failing
 *  listener stops neither the others nor the client. */
export function callBack<A extends unknown[]>(callback: (...args: A) => void, ...args: A): void {
  try {
    callback(...args);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

export class Emitter<A extends unknown[]> {
  private readonly callbacks = new Set<{readonly call: (...args: A) => void}>();

  /** Returns a function that removes the callback. */
  add(call: (...args: A) => void): () => void {
    const entry = {call};
    this.callbacks.add(entry);
    return () => {
      this.callbacks.delete(entry);
    };
  }

  /** In the order in which they were added; those added meanwhile wait for the next time. */
  emit(...args: A): void {
    for (const entry of [...this.callbacks]) {
      if (this.callbacks.has(entry)) {
        callBack(entry.call, ...args);
      }
    }
  }
}
