// Columns of numbers over time, the newest `capacity` rows of them. Rows come in ascending time; one that does not
// (the world was reset to an earlier tick, or is another one) empties the ring first.

export class Ring {
  private readonly time: Float64Array;
  private readonly columns: readonly Float64Array[];
  private start = 0;
  private count = 0;

  constructor(
    readonly names: readonly string[],
    readonly capacity: number,
  ) {
    this.time = new Float64Array(capacity);
    this.columns = names.map(() => new Float64Array(capacity));
  }

  get length(): number {
    return this.count;
  }

  // The newest time; NaN while empty.
  get newest(): number {
    return this.count === 0 ? NaN : this.time[(this.start + this.count - 1) % this.capacity];
  }

  clear(): void {
    this.start = 0;
    this.count = 0;
  }

  push(time: number, values: ArrayLike<number>): void {
    if (this.count > 0 && time < this.newest) {
      this.clear();
    }
    // One moment has one row: the newest, since an edit of a world at rest shows the same moment again.
    const again = this.count > 0 && time === this.newest;
    const at = (this.start + this.count - (again ? 1 : 0)) % this.capacity;
    this.time[at] = time;
    this.columns.forEach((column, i) => {
      column[at] = values[i];
    });
    if (again) {
      return;
    }
    if (this.count < this.capacity) {
      this.count++;
    } else {
      this.start = (this.start + 1) % this.capacity;
    }
  }

  // Time and all columns in order: the rows since `from`, every n-th of them so that there are at most `most`.
  rows(
    from = -Infinity,
    most = Infinity,
  ): {readonly time: Float64Array; readonly columns: readonly Float64Array[]} {
    let first = 0;
    while (first < this.count && this.time[(this.start + first) % this.capacity] < from) {
      first++;
    }
    const every = Math.max(1, Math.ceil((this.count - first) / most));
    const rows: number[] = [];
    // Counted from the end, so that the newest is always there.
    for (let i = this.count - 1; i >= first; i -= every) {
      rows.push((this.start + i) % this.capacity);
    }
    rows.reverse();
    return {
      time: Float64Array.from(rows, (row) => this.time[row]),
      columns: this.columns.map((column) => Float64Array.from(rows, (row) => column[row])),
    };
  }
}
