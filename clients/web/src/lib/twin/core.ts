// A twin computes a server's world on its own, from an image and the records after it, which stream.records brings
// (docs/concepts/twins.md). At each tick its state equals the server's, bit for bit; the server's hashes confirm that.
//
//     stream.records ──▶ take ──▶ image · records · marks of time ──▶ step ──▶ machine: positions, measures
//                                                         never beyond the last mark
//
// It uses no clock, socket, thread or page: the caller passes messages and times. The server is not trusted: each field
// is checked, and memory is bounded. The same as clients/twin.
import {WeftError} from '../error.js';
import {machineOf, type Machine, type MachineModule} from '../machine.js';
import {decode} from '../wire.js';
import {TwinClock} from './clock.js';
import {PATCH, patched} from './patch.js';
import type {TwinBounds} from './types.js';

/** The person who holds something; the document does not have it. */
export interface Holder {
  readonly session: number;
  readonly user: string;
}

const IMAGE_BYTES = 64 * 2 ** 20;
const WAITING_BYTES = 32 * 2 ** 20;
const INPUT_BYTES = 64; // size of an input besides its bytes
const RATE_MOST = 1e6;
const SEQ_MOST = 0xffffffff;
const HOLDERS_MOST = 4096;

type Fields = Readonly<Record<string, unknown>>;

interface Input {
  readonly tick: number;
  /** A record; null: a mark of time. */
  readonly record: Uint8Array | null;
  readonly hash: string | null;
  readonly failed: boolean;
}

interface Incoming {
  readonly bytes: Uint8Array;
  readonly parts: number;
  readonly tick: number;
  readonly sequence: number;
  readonly hash: string | null;
  part: number;
  filled: number;
}

/** Nothing runs until an image has come. */
class Lost extends Error {}

function lose(text: string): never {
  throw new Lost(text);
}

function integer(fields: Fields, name: string, most = Number.MAX_SAFE_INTEGER): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > most) {
    lose(`stream.records: ${name} must be an integer in range`);
  }
  return value as number;
}

function hashOf(fields: Fields): string | null {
  const {hash} = fields;
  if (hash === undefined || hash === null) {
    return null;
  }
  if (typeof hash !== 'string' || !/^[0-9a-f]{16}$/.test(hash)) {
    lose('stream.records: hash must be 16 hexadecimal digits');
  }
  return hash as string;
}

export class TwinCore {
  readonly clock = new TwinClock();
  machine: Machine | null = null;
  /** Not null while nothing runs until an image has come: the reason, or empty while an image is arriving. */
  lost: string | null = '';
  /** Its state was not the server's, and the server is to be told so. */
  differs = false;
  /** Why the world needs the full module; empty: it does not. Nothing runs until `widen`, and an image after it. */
  needs = '';
  playing = false;
  rate = 1;
  failed = false;
  toldTick = 0;
  sameTick = 0;
  hashes = 0;
  differences = 0;
  losses = 0;
  images = 0;
  applied = 0;
  imageBytes = 0;
  /** By the id of the grab; only grabs that began after the image. */
  readonly holders = new Map<number, Holder>();

  private readonly bounds: Required<TwinBounds>;
  /** A new one for each image. */
  module: MachineModule | null = null;
  private tickRate = 1;
  private inputs: Input[] = [];
  private first = 0;
  private waiting = 0;
  private before: Uint8Array | null = null;
  private seq = 0;
  private sequence = 0;
  private toldFailed = false;
  private incoming: Incoming | null = null;

  constructor(
    private wasm: WebAssembly.Module,
    bounds: TwinBounds = {},
  ) {
    this.bounds = {imageBytes: IMAGE_BYTES, waitingBytes: WAITING_BYTES, ...bounds};
  }

  get tick(): number {
    return this.machine?.tick ?? 0;
  }

  get ticksPerSecond(): number {
    return this.tickRate;
  }

  /** Bytes of the module's memory. */
  get memory(): number {
    return this.module?.memory ?? 0;
  }

  /** Takes the map of a stream.records, and its arrival time in microseconds of a monotonic clock. */
  take(params: unknown, nowUs: number): void {
    this.guarded(() => this.message(params, nowUs));
  }

  /** Applies the inputs at the present boundary, and runs one tick if that is allowed and `until` is not reached. True
   *  if a tick was run. */
  step(until: number): boolean {
    return this.guarded(() => this.goOn(until)) ?? false;
  }

  /** Reads the machine. If the machine fails, the twin is lost and the result is null. */
  aside<Result>(work: () => Result): Result | null {
    return this.guarded(work) ?? null;
  }

  /** The tick to show now, for even motion. */
  wanted(nowUs: number): number {
    return Math.min(this.clock.tick(nowUs), this.toldTick);
  }

  /** Images from now on are opened in this module. */
  widen(module: WebAssembly.Module): void {
    this.wasm = module;
    this.needs = '';
  }

  close(): void {
    this.forget();
    this.machine = null;
    this.module = null;
  }

  // An exception inside leaves the twin lost. After a failure the next image gets another machine.
  private guarded<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Lost) && !(error instanceof WeftError)) {
        throw error;
      }
      this.outgrow(error);
      this.leave(error.message);
      return undefined;
    }
  }

  // Nothing more is asked of a machine that broke. A member of the crew cannot tell why it broke, so a first module that
  // broke for any reason gives way to the full one.
  private outgrow(error: Error): void {
    if (error instanceof WeftError && (error.code === 'LATER' || error.code === 'INTERNAL')) {
      this.needs = this.module?.isFirst === true ? error.text : '';
      this.machine = null;
    }
  }

  private leave(text: string): void {
    this.forget();
    this.lost = text;
    this.losses++;
    this.toldTick = this.tick;
    this.clock.reset(this.toldTick);
  }

  private differ(text: string): false {
    this.leave(text);
    this.differs = true;
    this.differences++;
    return false;
  }

  // Drops inputs that wait, and an image that is arriving.
  private forget(): void {
    this.inputs = [];
    this.first = 0;
    this.waiting = 0;
    this.before = null;
    this.incoming = null;
  }

  // -- messages

  private message(params: unknown, nowUs: number): void {
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      lose('stream.records must be a map');
    }
    const fields = params as Fields;
    const isImage = fields['part'] !== undefined && fields['part'] !== null;
    if (!isImage && this.lost !== null && this.incoming === null) {
      return; // an image will come
    }
    const tick = integer(fields, 'tick');
    const atUs = integer(fields, 'at');
    const seq = integer(fields, 'seq', SEQ_MOST);
    if (!isImage && (this.machine === null || this.incoming !== null || seq !== this.seq + 1)) {
      lose(`stream.records: message ${seq} does not follow ${this.seq}`);
    }
    this.seq = seq;
    this.state(fields);
    if (isImage) {
      this.piece(fields, tick);
    } else {
      this.records(fields, tick);
    }
    if (this.lost === null) {
      const ticksPerUs = this.playing ? this.rate * this.tickRate * 1e-6 : 0;
      this.clock.take(atUs, this.toldTick, ticksPerUs, nowUs);
    }
  }

  // Reads how the world runs from here on, if the message says so.
  private state(fields: Fields): void {
    const {state, rate} = fields;
    if (state === undefined || state === null) {
      return;
    }
    if (!['playing', 'paused', 'failed'].includes(state as string)) {
      lose('stream.records: state must be that of a world');
    }
    if (typeof rate !== 'number' || !(rate >= 0 && rate <= RATE_MOST)) {
      lose('stream.records: rate must be that of a world');
    }
    this.playing = state === 'playing';
    this.rate = rate as number;
    this.toldFailed = state === 'failed';
  }

  // -- images

  private begin(fields: Fields, tick: number, parts: number): void {
    const size = integer(fields, 'size');
    const sequence = integer(fields, 'sequence');
    const hash = hashOf(fields);
    this.forget();
    if (size > this.bounds.imageBytes) {
      lose(`an image of ${size} bytes; the most that this twin takes are ${this.bounds.imageBytes}`);
    }
    this.incoming = {bytes: new Uint8Array(size), parts, tick, sequence, hash, part: 0, filled: 0};
    this.imageBytes = size;
    // The clock of the old state does not apply to the new one.
    this.lost = '';
  }

  private piece(fields: Fields, tick: number): void {
    const part = integer(fields, 'part', SEQ_MOST);
    const parts = integer(fields, 'parts', SEQ_MOST);
    const {image} = fields;
    if (!(image instanceof Uint8Array) || image.length === 0) {
      lose('stream.records: image must be a bin');
    }
    const bytes = image as Uint8Array;
    if (part === 0) {
      this.begin(fields, tick, parts);
    }
    const {incoming} = this;
    if (
      incoming === null ||
      part !== incoming.part ||
      parts !== incoming.parts ||
      tick !== incoming.tick ||
      bytes.length > incoming.bytes.length - incoming.filled
    ) {
      lose(`stream.records: piece ${part} of ${parts} does not follow the one before it`);
    }
    const into = incoming as Incoming;
    into.bytes.set(bytes, into.filled);
    into.filled += bytes.length;
    into.part++;
    if (into.part === into.parts) {
      this.whole(into);
    }
  }

  // Begins with the image, in a module of its own, because memory of WebAssembly never shrinks.
  private whole({bytes, filled, tick, sequence, hash}: Incoming): void {
    if (filled !== bytes.length) {
      lose(`an image of ${filled} bytes was told to have ${bytes.length}`);
    }
    this.machine = null;
    this.module?.dismiss();
    this.module = machineOf(this.wasm);
    const machine = this.module.open(bytes);
    if (machine.tick !== tick) {
      lose(`an image of tick ${machine.tick} was told as one of ${tick}`);
    }
    this.forget();
    this.machine = machine;
    this.tickRate = machine.settings().tick_rate;
    this.holders.clear();
    this.lost = null;
    this.differs = false;
    this.failed = false;
    this.toldTick = tick;
    this.sequence = sequence;
    this.images++;
    this.clock.reset(tick);
    if (hash !== null) {
      this.compareHash(hash);
    }
  }

  // -- records

  // The record's original bytes.
  private unpatched(item: Uint8Array): Uint8Array {
    if (item[0] !== PATCH) {
      return item.slice();
    }
    const whole = this.before === null ? null : patched(item, this.before);
    return whole ?? lose('stream.records: differences that do not fit the record before');
  }

  private record(bytes: Uint8Array, tick: number): void {
    let fields: unknown;
    try {
      fields = decode(bytes);
    } catch (error) {
      lose(`stream.records: a record that is none: ${(error as Error).message}`);
    }
    this.before = bytes;
    if (!Array.isArray(fields) || fields.length < 10) {
      lose('stream.records: a record that is none');
    }
    const list = fields as unknown[];
    const named = {sequence: list[0], tick: list[1]};
    const sequence = integer(named, 'sequence');
    const at = integer(named, 'tick');
    if (sequence <= this.sequence) {
      return; // the image includes it
    }
    if (sequence !== this.sequence + 1 || at > tick || at < this.toldTick) {
      lose(`stream.records: record ${sequence} of tick ${at} does not follow record ${this.sequence}`);
    }
    this.sequence = sequence;
    this.meet(list);
    this.wait({tick: at, record: bytes, hash: null, failed: false});
  }

  // Notes the people who hold something, for display.
  private meet([, , , person, session, , , method, , result]: unknown[]): void {
    const grab = (result as {grab?: unknown} | null)?.grab;
    if (method === 'grab.begin' && typeof grab === 'number' && typeof session === 'number') {
      if (this.holders.size >= HOLDERS_MOST) {
        this.holders.clear();
      }
      this.holders.set(grab, {session, user: typeof person === 'string' ? person : ''});
    }
  }

  private records(fields: Fields, tick: number): void {
    const hash = hashOf(fields);
    const {records = []} = fields;
    if (tick < this.toldTick) {
      lose(`stream.records: time goes back, to tick ${tick}`);
    }
    if (!Array.isArray(records)) {
      lose('stream.records: records must be a list');
    }
    for (const item of records as unknown[]) {
      if (!(item instanceof Uint8Array)) {
        lose('stream.records: a record must be a bin');
      }
      this.record(this.unpatched(item as Uint8Array), tick);
    }
    this.wait({tick, record: null, hash, failed: this.toldFailed});
    this.toldTick = tick;
  }

  private wait(input: Input): void {
    const size = INPUT_BYTES + (input.record?.length ?? 0);
    if (size > this.bounds.waitingBytes - this.waiting) {
      lose(`more than ${this.bounds.waitingBytes} bytes wait: the twin does not come after its world`);
    }
    this.waiting += size;
    this.inputs.push(input);
  }

  // -- ticks

  private goOn(until: number): boolean {
    const {machine} = this;
    if (machine === null || this.lost !== null || !this.settle(machine)) {
      return false;
    }
    // The first input that waits is at a later boundary, and ticks up to there are certain.
    if (this.first === this.inputs.length || machine.tick >= until) {
      return false;
    }
    if (this.failed) {
      return this.differ(`the world went on after tick ${machine.tick}, and failed there here`);
    }
    this.run(machine);
    this.settle(machine);
    return true;
  }

  private run(machine: Machine): void {
    try {
      machine.step();
    } catch (error) {
      if (!(error instanceof WeftError) || error.code !== 'FAILED') {
        throw error;
      }
      this.failed = true;
    }
  }

  // Applies the inputs at the present boundary. False: nothing can be done after them.
  private settle(machine: Machine): boolean {
    while (this.first < this.inputs.length) {
      const input = this.inputs[this.first]!;
      if (input.tick > machine.tick) {
        break;
      }
      if (input.record === null ? !this.compare(input) : !this.apply(machine, input.record)) {
        return false;
      }
      this.waiting -= INPUT_BYTES + (input.record?.length ?? 0);
      this.first++;
    }
    if (this.first > 0 && 2 * this.first >= this.inputs.length) {
      this.inputs = this.inputs.slice(this.first);
      this.first = 0;
    }
    return true;
  }

  private apply(machine: Machine, record: Uint8Array): boolean {
    try {
      machine.apply(record);
    } catch (error) {
      if (!(error instanceof WeftError) || ['MEMORY', 'INTERNAL', 'LIMIT', 'LATER'].includes(error.code)) {
        throw error;
      }
      return this.differ(`a record at tick ${machine.tick}: ${error.text}`);
    }
    this.failed = machine.failed;
    this.applied++;
    return true;
  }

  private compare({tick, failed, hash}: Input): boolean {
    if (failed !== this.failed) {
      const [there, here] = failed ? ['had failed', 'did not'] : ['had not failed', 'did'];
      return this.differ(`at tick ${tick} the world ${there} there and ${here} here`);
    }
    return hash === null || this.compareHash(hash);
  }

  private compareHash(told: string): boolean {
    const {machine} = this;
    const [hash, tick] = [machine!.hash(), machine!.tick];
    this.hashes++;
    if (hash !== told) {
      return this.differ(`the state's hash is ${hash} here and ${told} there, at tick ${tick}`);
    }
    this.sameTick = tick;
    return true;
  }
}
