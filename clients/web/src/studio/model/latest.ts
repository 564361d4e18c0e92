// Sends the newest of many values: one at a time, those that came while one was under way but for the last are left
// out. For sliders, handles and whatever else changes faster than a server answers.

export class Latest<T> {
  private waiting: {readonly value: T} | null = null;
  private busy = false;

  constructor(private readonly send: (value: T) => Promise<unknown>) {}

  push(value: T): void {
    this.waiting = {value};
    if (!this.busy) {
      void this.run();
    }
  }

  // Nothing that waits is sent any more.
  cancel(): void {
    this.waiting = null;
  }

  private async run(): Promise<void> {
    this.busy = true;
    while (this.waiting) {
      const {value} = this.waiting;
      this.waiting = null;
      try {
        await this.send(value);
      } catch {
        // Whoever sends says what went wrong; the next value has its chance.
      }
    }
    this.busy = false;
  }
}
