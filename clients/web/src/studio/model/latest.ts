// Sends the newest of many values: one at a time, those that came while one was under way but for the last are left
// out. For sliders, handles and whatever else changes faster than a server answers.

export class Latest<T> {
  private waiting: {readonly value: T} | null = null;
  private busy = false;
  // What is under way has had its time: whatever comes next goes at once.
  private late: (() => void) | null = null;

  // Who has patience for so long only sends the next value before the answer to the last, if that takes longer.
  constructor(
    private readonly send: (value: T) => Promise<unknown>,
    private readonly patienceMs = Infinity,
  ) {}

  push(value: T): void {
    this.waiting = {value};
    this.late?.();
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
      await this.answered(this.send(value));
    }
    this.busy = false;
  }

  // Resolves with the answer, or when there is no patience left and another value waits. Whoever sends says what went
  // wrong; the next value has its chance.
  private answered(sent: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const go = () => {
        clearTimeout(timer);
        if (this.late === go) this.late = null;
        resolve();
      };
      if (Number.isFinite(this.patienceMs)) {
        timer = setTimeout(() => {
          if (this.waiting) go();
          else this.late = go;
        }, this.patienceMs);
      }
      sent.then(go, go);
    });
  }
}
