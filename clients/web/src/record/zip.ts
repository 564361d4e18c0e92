// A zip archive whose entries are stored as they are, so that they can be mapped. The size of an entry and its checksum
// stand before it, so an entry is gathered in a blob first.
//
//     | local header | bytes |  for each entry, then  | central directory | its end |
import {Out, Parts} from './sink.js';

const TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value >>> 0;
});

// Before 2 ** 32, where a zip needs another form.
const MOST = 0xfffffffe;
// 1 January 1980, so that the same recording gives the same bytes.
const DATE = 0x0021;
const VERSION = 20;
const UTF8 = 0x0800;

class Words {
  private readonly bytes: number[] = [];
  u16(...values: number[]): this {
    values.forEach((value) => this.bytes.push(value & 255, (value >>> 8) & 255));
    return this;
  }
  u32(...values: number[]): this {
    values.forEach((value) => this.u16(value & 0xffff, value >>> 16));
    return this;
  }
  made(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

interface Entry {
  readonly name: Uint8Array;
  readonly crc: number;
  readonly size: number;
  readonly at: number;
}

export class Zip {
  private readonly entries: Entry[] = [];

  constructor(private readonly out: Out) {}

  async entry(name: string, write: (out: Out) => Promise<void>): Promise<void> {
    let crc = 0xffffffff;
    const parts = new Parts();
    const inner = new Out(parts, (bytes) => {
      for (let i = 0; i < bytes.length; i++) {
        crc = TABLE[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
      }
    });
    await write(inner);
    await inner.settle();
    const entry = {name: new TextEncoder().encode(name), crc: ~crc >>> 0, size: inner.size, at: this.out.size};
    if (entry.at + entry.size > MOST) {
      throw new Error('The file would be larger than 4 GiB, which a zip cannot hold: export fewer frames.');
    }
    this.entries.push(entry);
    const head = new Words().u32(0x04034b50).u16(VERSION, UTF8, 0, 0, DATE);
    await this.out.put(head.u32(entry.crc, entry.size, entry.size).u16(entry.name.length, 0).made());
    await this.out.put(entry.name);
    await this.out.blob(parts.blob());
  }

  async end(): Promise<void> {
    const begin = this.out.size;
    for (const {name, crc, size, at} of this.entries) {
      const head = new Words().u32(0x02014b50).u16(VERSION, VERSION, UTF8, 0, 0, DATE).u32(crc, size, size);
      await this.out.put(head.u16(name.length, 0, 0, 0, 0).u32(0, at).made());
      await this.out.put(name);
    }
    const {length} = this.entries;
    if (length > 65_534) {
      throw new Error('A zip holds at most 65,534 files: export fewer frames.');
    }
    const end = new Words().u32(0x06054b50).u16(0, 0, length, length).u32(this.out.size - begin, begin).u16(0);
    await this.out.put(end.made());
  }
}
