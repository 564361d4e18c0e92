// Numbers that grow as they come.
export class Growing<A extends Float64Array | Uint32Array> {
  count = 0;

  constructor(private all: A) {}

  push(value: number): void {
    if (this.count === this.all.length) {
      const wider = new (this.all.constructor as new (length: number) => A)(2 * this.count);
      wider.set(this.all);
      this.all = wider;
    }
    this.all[this.count++] = value;
  }

  get taken(): A {
    return this.all.slice(0, this.count) as A;
  }
}
