// The server's own world, run here: the document of weftd as a module of WebAssembly (clients/web/wasm), for pages, workers and
// Node. From the same image and the same records it comes to the same hash at each tick.
import type {ColliderPose, Contact, Contacts, GrabSummary, Measures, Params} from './api.generated.js';
import {WeftError} from './error.js';
import {compileModule, Complaints, type ModuleSource} from './module.js';
import type {Vec3} from './values.js';
import {decode as unpack} from './wire.js';

/** Of a whole world with all that is held (an image), or the document that people read and write. */
export type MachineKind = 'image' | 'document';

/** One body of a machine. */
export interface MachineBody {
  readonly id: number;
  readonly particles: number;
}

/** Numbers of a body, three a particle (or a vertex of its skin), and indices. */
export interface MachineArrays {
  positions: Float32Array;
  velocities: Float32Array;
  normals: Float32Array;
  /** Vertices of its skin; empty where it has none. */
  skin: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  tets: Uint32Array;
  skinTriangles: Uint32Array;
}

/** What frames tell besides arrays. Times of measures are 0, and nobody is said to hold a grab: a machine knows neither. */
export interface MachineParts {
  measures: Measures;
  contact: Contact;
  /** Known where `showContacts` was on during the last tick. */
  contacts: Contacts;
  grabs: GrabSummary[];
  /** Those that motions move. */
  colliders: ColliderPose[];
  settings: Params['world.create'];
}

/** A world at a tick. Whatever fails throws a `WeftError` with the text. */
export interface Machine {
  /** Ticks completed. */
  readonly tick: number;
  readonly revision: number;
  /** Of all that decides the future, as `world.hash` has it: 16 hexadecimal digits. */
  hash(): string;
  /** Applies one record, of the tick that the machine stands at. After a refusal close it, and begin with a new image. */
  apply(record: Uint8Array): void;
  /**
   * One tick. Throws `FAILED` where the world came to no number; its state stays as it is then, until `world.reset`. `watch` is
   * called after each substep, and may look at the machine then.
   */
  step(watch?: (substep: number) => void): void;
  /** Whether a tick came to no number, and no `world.reset` after it. */
  readonly failed: boolean;
  /** By ascending id. */
  bodies(): MachineBody[];
  /** x, y, z of each particle of a body, as of the last tick: copied, into `out` where that is given and large enough. */
  positions(body: number, out?: Float32Array): Float32Array;
  /** Numbers of a body as they are: copied, into `out` where that is given and large enough. */
  array<K extends keyof MachineArrays>(body: number, kind: K, out?: MachineArrays[K]): MachineArrays[K];
  /** What a frame tells besides; poses of colliders are those so many substeps into the tick. */
  part<K extends keyof MachineParts>(kind: K, substep?: number): MachineParts[K];
  settings(): Settings;
  /** Whether the ticks from now on remember where bodies met. The state does not depend on it. */
  showContacts(wanted: boolean): void;
  /** Who holds a particle: the id of the grab; 0: nobody. */
  grabOf(body: number, particle: number): number;
  /**
   * What would be: `work` may step it and pull at it, and look; then it is back where it was, bit for bit, whatever it came to. No
   * record is to be applied meanwhile.
   */
  ahead<Result>(work: (hands: MachineHands) => Result): Result;
  /** Gives its memory back. It answers nothing any more. */
  close(): void;
}

/** Hands at a machine that runs ahead. */
export interface MachineHands {
  /** The id of a new grab, that holds a particle where it is. */
  hold(body: number, particle: number, compliance: number): number;
  pull(grab: number, target: Vec3): void;
  letGo(grab: number): void;
}

/** Of a world: as of `world.create`, all of them. */
export type Settings = Required<Pick<Params['world.create'], 'tick_rate' | 'substeps' | 'iterations'>> &
  Params['world.create'];

/** The module, from which machines are made. */
export interface MachineModule {
  /** To be sent to a worker, whose `loadMachine` takes it. */
  readonly module: WebAssembly.Module;
  /** Bytes of memory of all machines together, and of what was closed: it never falls. */
  readonly memory: number;
  open(bytes: Uint8Array, kind?: MachineKind): Machine;
  /**
   * A part in the steps of its machines, for another thread, which `serveMachine` takes it to: to be posted to a worker. Null where
   * the module is for one thread: weft-machine-threads.wasm is for several, and needs a page that is cross-origin isolated. Who
   * opens machines of that one may be made to wait, which browsers forbid to a page's own thread.
   */
  member(): MachineMember | null;
  /** Sends the members home, for good. */
  dismiss(): void;
}

/** What a thread needs that takes part. */
export interface MachineMember {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Where its stack begins; it grows downwards. */
  readonly stack: number;
}

// What clients/web/wasm/machine.h says of them. Pointers are places in memory, 0 for none.
interface Exports {
  /** Absent where it is shared. */
  readonly memory?: WebAssembly.Memory;
  _initialize(): void;
  machine_text(): number;
  machine_alloc(size: number): number;
  machine_free(bytes: number): void;
  machine_open(bytes: number, size: number, kind: number): number;
  machine_close(machine: number): void;
  machine_apply(machine: number, bytes: number, size: number): number;
  machine_step(machine: number, watched: number): number;
  machine_failed(machine: number): number;
  machine_show_contacts(machine: number, wanted: number): void;
  machine_mark(machine: number): number;
  machine_back(machine: number, mark: number): void;
  machine_hold(machine: number, body: number, particle: number, compliance: number): number;
  machine_pull(machine: number, grab: number, x: number, y: number, z: number): number;
  machine_let_go(machine: number, grab: number): number;
  machine_grab_of(machine: number, body: number, particle: number): number;
  machine_hash(machine: number): bigint;
  machine_tick(machine: number): number;
  machine_revision(machine: number): number;
  machine_bodies(machine: number): number;
  machine_body(machine: number, position: number): number;
  machine_particles(machine: number, body: number): number;
  machine_array(machine: number, body: number, array: number): number;
  machine_part(machine: number, part: number, substep: number): number;
  machine_size(): number;
  // Of weft-machine-threads.wasm.
  readonly __stack_pointer?: WebAssembly.Global;
  machine_crew_serve?(): void;
  machine_crew_close?(): void;
  machine_crew_break?(): void;
}

// In machine.h's order.
const KINDS: readonly MachineKind[] = ['image', 'document'];
const ARRAYS: readonly (keyof MachineArrays)[] = [
  'positions',
  'velocities',
  'normals',
  'skin',
  'triangles',
  'edges',
  'tets',
  'skinTriangles',
];
const FLOATS = 4; // of them the first so many
const PARTS: readonly (keyof MachineParts)[] = ['measures', 'contact', 'contacts', 'grabs', 'colliders', 'settings'];
const TEXT_MAX = 512;
const PAGES = {initial: 64, maximum: 32768}; // of shared memory, as clients/web/wasm/CMakeLists.txt has them
const STACK_BYTES = 2 ** 20;

// A copy, for decoders do not read what is shared.
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice());
}

function refusal(text: string): WeftError {
  const colon = text.indexOf(': ');
  return new WeftError({kind: 1, code: text.slice(0, colon), text: text.slice(colon + 2)});
}

function isForThreads(module: WebAssembly.Module): boolean {
  return WebAssembly.Module.imports(module).some(({kind}) => kind === 'memory');
}

class Instance implements MachineModule {
  readonly #exports: Exports;
  readonly #memory: WebAssembly.Memory;
  readonly #complaints = new Complaints(() => this.#memory);
  #broken: WeftError | undefined;
  #watch: ((substep: number) => void) | undefined;
  #thrown: {readonly error: unknown} | undefined;

  /** With a member's memory and stack it is one more instance on that memory, which only takes part. */
  constructor(
    readonly module: WebAssembly.Module,
    part?: MachineMember,
  ) {
    const weft = {machine_substep: (substep: number) => this.#tell(substep)};
    const shared = part?.memory ?? (isForThreads(module) ? new WebAssembly.Memory({...PAGES, shared: true}) : undefined);
    const imports = {wasi_snapshot_preview1: this.#complaints.imports, weft, ...(shared && {env: {memory: shared}})};
    this.#exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.#memory = shared ?? this.#exports.memory!;
    if (part === undefined) {
      this.#exports._initialize();
    } else {
      this.#exports.__stack_pointer!.value = part.stack;
    }
  }

  member(): MachineMember | null {
    if (!isForThreads(this.module)) {
      return null;
    }
    const at = this.#allocate(STACK_BYTES);
    return {module: this.module, memory: this.#memory, stack: (at + STACK_BYTES) & ~15};
  }

  dismiss(): void {
    this.call((exports) => exports.machine_crew_close?.());
  }

  /** Until the crew is dismissed. */
  serve(): void {
    try {
      this.#exports.machine_crew_serve!();
    } catch (error) {
      this.#exports.machine_crew_break!();
      throw error;
    }
  }

  get memory(): number {
    return this.#memory.buffer.byteLength;
  }

  // Memory that grows is another buffer: a view of it is made anew for each use, and none is handed out.
  #bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, size);
  }

  /** Calls into the module. Once that trapped, what it left is of no use, and all later calls say so. */
  call<Result>(work: (exports: Exports) => Result): Result {
    if (this.#broken !== undefined) {
      throw this.#broken;
    }
    try {
      return work(this.#exports);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
        const text = this.#complaints.text.trim() || error.message;
        this.#broken = new WeftError({kind: 0, code: 'INTERNAL', text: `the machine broke: ${text}`});
        throw this.#broken;
      }
      throw error;
    }
  }

  /** What the last call that failed said. */
  refusal(): WeftError {
    const at = this.call((exports) => exports.machine_text());
    const bytes = this.#bytes(at, Math.min(TEXT_MAX, this.memory - at));
    return refusal(decode(bytes.subarray(0, bytes.indexOf(0))));
  }

  #allocate(size: number): number {
    const at = this.call((exports) => exports.machine_alloc(size));
    if (at === 0) {
      throw new WeftError({kind: 0, code: 'MEMORY', text: `no memory for ${size} bytes in the browser's module`});
    }
    return at;
  }

  /** Memory for so many bytes, while `work` has it. */
  with<Result>(size: number, work: (at: number) => Result): Result {
    const at = this.#allocate(size);
    try {
      return work(at);
    } finally {
      if (this.#broken === undefined) {
        this.#exports.machine_free(at);
      }
    }
  }

  /** The bytes in the module's memory, while `work` has them. */
  withBytes<Result>(bytes: Uint8Array, work: (at: number) => Result): Result {
    return this.with(bytes.byteLength, (at) => {
      this.#bytes(at, bytes.byteLength).set(bytes);
      return work(at);
    });
  }

  /** What a call gave a place of, and machine_size the bytes; into `to`. */
  copy(at: number, to: Uint8Array): void {
    to.set(this.#bytes(at, to.byteLength));
  }

  /** A tick of a machine that is watched: while it runs, `watch` is called. What that throws is thrown when the tick is over. */
  watched<Result>(watch: ((substep: number) => void) | undefined, work: () => Result): Result {
    this.#watch = watch;
    this.#thrown = undefined;
    try {
      return work();
    } finally {
      this.#watch = undefined;
      this.#rethrow();
    }
  }

  #rethrow(): void {
    if (this.#thrown !== undefined) {
      throw this.#thrown.error;
    }
  }

  #tell(substep: number): void {
    try {
      this.#watch?.(substep);
    } catch (error) {
      this.#watch = undefined;
      this.#thrown = {error};
    }
  }

  open(bytes: Uint8Array, kind: MachineKind = 'image'): Machine {
    const machine = this.withBytes(bytes, (at) =>
      this.call((exports) => exports.machine_open(at, bytes.byteLength, KINDS.indexOf(kind))),
    );
    if (machine === 0) {
      throw this.refusal();
    }
    return new OpenMachine(this, machine);
  }
}

class OpenMachine implements Machine {
  readonly #instance: Instance;
  #at: number; // 0: closed

  constructor(instance: Instance, at: number) {
    this.#instance = instance;
    this.#at = at;
  }

  #call<Result>(work: (exports: Exports, machine: number) => Result): Result {
    if (this.#at === 0) {
      throw new WeftError({kind: 1, code: 'CLOSED', text: 'the machine was closed'});
    }
    return this.#instance.call((exports) => work(exports, this.#at));
  }

  get tick(): number {
    return this.#call((exports, machine) => exports.machine_tick(machine));
  }

  get revision(): number {
    return this.#call((exports, machine) => exports.machine_revision(machine));
  }

  hash(): string {
    const hash = this.#call((exports, machine) => exports.machine_hash(machine));
    return BigInt.asUintN(64, hash).toString(16).padStart(16, '0');
  }

  apply(record: Uint8Array): void {
    const applied = this.#instance.withBytes(record, (at) =>
      this.#call((exports, machine) => exports.machine_apply(machine, at, record.byteLength)),
    );
    if (applied === 0) {
      throw this.#instance.refusal();
    }
  }

  step(watch?: (substep: number) => void): void {
    const flag = watch === undefined ? 0 : 1;
    const done = this.#instance.watched(watch, () =>
      this.#call((exports, machine) => exports.machine_step(machine, flag)),
    );
    if (done === 0) {
      throw this.#instance.refusal();
    }
  }

  get failed(): boolean {
    return this.#call((exports, machine) => exports.machine_failed(machine)) !== 0;
  }

  showContacts(wanted: boolean): void {
    this.#call((exports, machine) => exports.machine_show_contacts(machine, wanted ? 1 : 0));
  }

  bodies(): MachineBody[] {
    return this.#call((exports, machine) =>
      Array.from({length: exports.machine_bodies(machine)}, (_, position) => {
        const id = exports.machine_body(machine, position);
        return {id, particles: exports.machine_particles(machine, id)};
      }),
    );
  }

  // A place in the module's memory, and how many bytes are there, until the next call of this.
  #shown(call: (exports: Exports, machine: number) => number): {at: number; size: number} {
    const at = this.#call(call);
    if (at === 0) {
      throw this.#instance.refusal();
    }
    return {at, size: this.#call((exports) => exports.machine_size())};
  }

  positions(body: number, out?: Float32Array): Float32Array {
    return this.array(body, 'positions', out);
  }

  array<K extends keyof MachineArrays>(body: number, kind: K, out?: MachineArrays[K]): MachineArrays[K] {
    const index = ARRAYS.indexOf(kind);
    const {at, size} = this.#shown((exports, machine) => exports.machine_array(machine, body, index));
    const count = size / 4;
    const Class = index < FLOATS ? Float32Array : Uint32Array;
    const to = out !== undefined && out.length >= count ? out.subarray(0, count) : new Class(count);
    this.#instance.copy(at, new Uint8Array(to.buffer, to.byteOffset, size));
    return to as MachineArrays[K];
  }

  part<K extends keyof MachineParts>(kind: K, substep = 0): MachineParts[K] {
    const {at, size} = this.#shown((exports, machine) => exports.machine_part(machine, PARTS.indexOf(kind), substep));
    const bytes = new Uint8Array(size);
    this.#instance.copy(at, bytes);
    return unpack(bytes) as MachineParts[K];
  }

  settings(): Settings {
    return this.part('settings') as Settings;
  }

  grabOf(body: number, particle: number): number {
    return this.#call((exports, machine) => exports.machine_grab_of(machine, body, particle)) >>> 0;
  }

  // What was refused of it.
  #done(answer: number): number {
    if (answer === 0) {
      throw this.#instance.refusal();
    }
    return answer >>> 0;
  }

  ahead<Result>(work: (hands: MachineHands) => Result): Result {
    const mark = this.#done(this.#call((exports, machine) => exports.machine_mark(machine)));
    try {
      return work({
        hold: (body, particle, compliance) =>
          this.#done(this.#call((exports, machine) => exports.machine_hold(machine, body, particle, compliance))),
        pull: (grab, [x, y, z]) =>
          void this.#done(this.#call((exports, machine) => exports.machine_pull(machine, grab, x, y, z))),
        letGo: (grab) => void this.#done(this.#call((exports, machine) => exports.machine_let_go(machine, grab))),
      });
    } finally {
      this.#call((exports, machine) => exports.machine_back(machine, mark));
    }
  }

  close(): void {
    if (this.#at !== 0) {
      this.#call((exports, machine) => exports.machine_close(machine));
      this.#at = 0;
    }
  }
}

/** From what another thread compiled, at once: on a page itself browsers take that of small modules alone. */
export function machineOf(module: WebAssembly.Module): MachineModule {
  return new Instance(module);
}

/** Machines of weft-machine.wasm. */
export async function loadMachine(source: ModuleSource): Promise<MachineModule> {
  return new Instance(await compileModule(source));
}

/** Takes part in the steps of machines that are another thread's, until that one dismisses its members; it does not return before. */
export function serveMachine(member: MachineMember): void {
  new Instance(member.module, member).serve();
}
