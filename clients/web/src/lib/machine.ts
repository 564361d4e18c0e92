// The server's own world, computed here: weftd's document as a module of WebAssembly (clients/web/wasm), for pages,
// workers and Node. From the same image and the same records it gets the same hash at each tick.
//
// There are two modules. weft-machine.wasm is fetched before a world runs, so it lacks rare kinds of constraints and their like;
// weft-machine-full.wasm has all. A call that needs what the first one lacks throws LATER, and the caller goes on with the other.
import type {ColliderPose, Contact, Contacts, GrabSummary, Measures, Params} from './api.generated.js';
import {WeftError} from './error.js';
import {compileModule, Complaints, type ModuleSource} from './module.js';
import type {Vec3} from './values.js';
import {decode as unpack} from './wire.js';

/** image: a whole world with its grabs; document: the form that people read and write. */
export type MachineKind = 'image' | 'document';

/** One body of a machine. */
export interface MachineBody {
  readonly id: number;
  readonly particles: number;
}

/** Numbers of a body, three for each particle (or vertex of its skin), and indices. */
export interface MachineArrays {
  positions: Float32Array;
  velocities: Float32Array;
  normals: Float32Array;
  /** Vertices of its skin; empty if it has none. */
  skin: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  tets: Uint32Array;
  skinTriangles: Uint32Array;
  /** Unit quaternions x, y, z, w, four numbers for each particle; empty if the body has no orientations. */
  rotations: Float32Array;
}

/** The parts of frames besides arrays. Times in measures are 0 and grabs have no person, because a machine knows
 *  neither. */
export interface MachineParts {
  measures: Measures;
  contact: Contact;
  /** Filled if `showContacts` was on during the last tick. */
  contacts: Contacts;
  grabs: GrabSummary[];
  /** The colliders that motions move. */
  colliders: ColliderPose[];
  settings: Params['world.create'];
  /** Ids of the bodies that sleep, ascending. */
  asleep: number[];
}

/**
 * A world at a tick. Every failure throws a `WeftError` with a text. `LATER` says that the world needs
 * weft-machine-full.wasm: the machine and its module are of no use afterwards, and the caller opens an image in the other.
 */
export interface Machine {
  /** Ticks completed. */
  readonly tick: number;
  readonly revision: number;
  /** Hash of all state that decides the future, as from `world.hash`: 16 hexadecimal digits. */
  hash(): string;
  /** Applies one record of the present tick. After a refusal close the machine, and begin with a new image. */
  apply(record: Uint8Array): void;
  /**
   * Runs one tick. Throws `FAILED` if a value is not finite; the state then stays as it is until `world.reset`.
   * `watch` is called after each substep, and may read the machine.
   */
  step(watch?: (substep: number) => void): void;
  /** Whether a tick failed, without a `world.reset` after it. */
  readonly failed: boolean;
  /** By ascending id. */
  bodies(): MachineBody[];
  /** x, y, z of each particle of a body after the last tick, copied into `out` if that is given and large enough. */
  positions(body: number, out?: Float32Array): Float32Array;
  /** Numbers of a body, copied into `out` if that is given and large enough. */
  array<K extends keyof MachineArrays>(body: number, kind: K, out?: MachineArrays[K]): MachineArrays[K];
  /** Another part of a frame; poses of colliders are those after `substep` substeps of the tick. */
  part<K extends keyof MachineParts>(kind: K, substep?: number): MachineParts[K];
  settings(): Settings;
  /** Whether ticks record contact points from now on. The state does not depend on it. */
  showContacts(wanted: boolean): void;
  /** Id of the grab that holds a particle; 0: none. */
  grabOf(body: number, particle: number): number;
  /**
   * Runs the world ahead: `work` may step it, pull at it, and read it. Afterwards it is back at its state, bit for
   * bit. No record may be applied meanwhile.
   */
  ahead<Result>(work: (hands: MachineHands) => Result): Result;
  /** Frees its memory. It must not be used afterwards. */
  close(): void;
}

/** Grabs in a machine that runs ahead. */
export interface MachineHands {
  /** Returns the id of a new grab, which holds a particle where it is. */
  hold(body: number, particle: number, compliance: number): number;
  pull(grab: number, target: Vec3): void;
  letGo(grab: number): void;
}

/** All settings of a world, as in `world.create`. */
export type Settings = Required<Pick<Params['world.create'], 'tick_rate' | 'substeps' | 'iterations'>> &
  Params['world.create'];

/** The module, from which machines are made. */
export interface MachineModule {
  /** Post it to a worker, and pass it to `loadMachine` there. */
  readonly module: WebAssembly.Module;
  /** Size of the memory in bytes, including that of closed machines; it never shrinks. */
  readonly memory: number;
  /** Whether it is a first module, which lacks what weft-machine-full.wasm has. */
  readonly isFirst: boolean;
  open(bytes: Uint8Array, kind?: MachineKind): Machine;
  /**
   * A share in the steps of its machines for another thread: post it to a worker, which calls `serveMachine` with it.
   * Null for the single-threaded module. weft-machine-threads.wasm is for several threads, and needs a cross-origin
   * isolated page. Opening one of its machines may wait, which browsers forbid on a page's own thread.
   */
  member(): MachineMember | null;
  /** Ends the members' work for good. */
  dismiss(): void;
}

/** The data that a thread needs to take part. */
export interface MachineMember {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** The beginning of its stack, which grows downwards. */
  readonly stack: number;
}

// The functions of clients/web/wasm/machine.h. Pointers are offsets into the memory, 0 for none.
interface Exports {
  /** Absent if it is shared. */
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
  // Only in weft-machine-threads.wasm.
  readonly __stack_pointer?: WebAssembly.Global;
  machine_crew_serve?(): void;
  machine_crew_close?(): void;
  machine_crew_break?(): void;
}

// In the order of machine.h.
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
  'rotations',
];
const FLOATS: readonly (keyof MachineArrays)[] = ['positions', 'velocities', 'normals', 'skin', 'rotations'];
const PARTS: readonly (keyof MachineParts)[] = ['measures', 'contact', 'contacts', 'grabs', 'colliders', 'settings', 'asleep'];
const TEXT_MAX = 512;
const PAGES = {initial: 64, maximum: 32768}; // of shared memory, as in clients/web/wasm/CMakeLists.txt
const STACK_BYTES = 2 ** 20;

// Decodes a copy, because decoders do not accept shared memory.
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice());
}

function refusal(text: string): WeftError {
  const colon = text.indexOf(': ');
  return new WeftError({kind: 1, code: text.slice(0, colon), text: text.slice(colon + 2)});
}

// The linker makes imports from this module of the functions that a first module lacks.
const LACKED = 'env';

function lackedBy(module: WebAssembly.Module): string[] {
  const imports = WebAssembly.Module.imports(module);
  return imports.filter(({module: from, kind}) => from === LACKED && kind === 'function').map(({name}) => name);
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
  readonly isFirst: boolean;

  /** With a member's memory and stack it is another instance on that memory, which only takes part. */
  constructor(
    readonly module: WebAssembly.Module,
    part?: MachineMember,
  ) {
    const weft = {
      machine_substep: (substep: number) => this.#tell(substep),
      later: (kind: number) => this.#needs(this.#text(kind)),
    };
    const lacked = lackedBy(module);
    this.isFirst = lacked.length > 0;
    const stubs = Object.fromEntries(lacked.map((name) => [name, () => this.#needs(name)]));
    const shared = part?.memory ?? (isForThreads(module) ? new WebAssembly.Memory({...PAGES, shared: true}) : undefined);
    const own = {...stubs, ...(shared && {memory: shared})};
    const imports = {wasi_snapshot_preview1: this.#complaints.imports, weft, [LACKED]: own};
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

  // Its members end even if it broke.
  dismiss(): void {
    this.#exports.machine_crew_close?.();
  }

  /** Returns when the members are dismissed. */
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

  // Memory that grows gets another buffer, so a view is made again for each use, and none is handed out.
  #bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, size);
  }

  /** Calls into the module. After a trap its memory is inconsistent, so all later calls throw. */
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

  // Ends the call that is running, in the midst of its work: the memory is inconsistent from then on.
  #needs(what: string): never {
    const text = `the world needs weft-machine-full.wasm: ${what} is not in weft-machine.wasm`;
    this.#broken = new WeftError({kind: 0, code: 'LATER', text});
    throw this.#broken;
  }

  #text(at: number): string {
    const bytes = this.#bytes(at, Math.min(TEXT_MAX, this.memory - at));
    return decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** The error of the last call that failed. */
  refusal(): WeftError {
    return refusal(this.#text(this.call((exports) => exports.machine_text())));
  }

  #allocate(size: number): number {
    const at = this.call((exports) => exports.machine_alloc(size));
    if (at === 0) {
      throw new WeftError({kind: 0, code: 'MEMORY', text: `no memory for ${size} bytes in the browser's module`});
    }
    return at;
  }

  /** Gives `work` a block of memory of this size. */
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

  /** Gives `work` a copy of the bytes in the module's memory. */
  withBytes<Result>(bytes: Uint8Array, work: (at: number) => Result): Result {
    return this.with(bytes.byteLength, (at) => {
      this.#bytes(at, bytes.byteLength).set(bytes);
      return work(at);
    });
  }

  /** Copies machine_size bytes from an offset that a call returned. */
  copy(at: number, to: Uint8Array): void {
    to.set(this.#bytes(at, to.byteLength));
  }

  /** Runs a tick and calls `watch` meanwhile. An exception of `watch` is thrown when the tick is over. */
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

  // Offset and size of a result in the module's memory, valid until the next call.
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
    const Class = FLOATS.includes(kind) ? Float32Array : Uint32Array;
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

  // Throws if the machine refused.
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

/** Makes a module at once from one that another thread compiled: on a page itself browsers allow that only for small
 *  modules. */
export function machineOf(module: WebAssembly.Module): MachineModule {
  return new Instance(module);
}

/** The address of the full module that lies beside a first one; undefined: `source` is no address, or not of that name. */
export function fullBeside(source: ModuleSource): string | undefined {
  const address = typeof source === 'string' || source instanceof URL ? String(source) : '';
  const full = address.replace(/(\/|^)(weft-machine(-threads)?)\.wasm(?=$|[?#])/, '$1$2-full.wasm');
  return full === address ? undefined : full;
}

/** Loads weft-machine.wasm, or weft-machine-full.wasm. */
export async function loadMachine(source: ModuleSource): Promise<MachineModule> {
  return new Instance(await compileModule(source));
}

/** Takes part in the steps of another thread's machines; returns when that thread dismisses its members. */
export function serveMachine(member: MachineMember): void {
  new Instance(member.module, member).serve();
}
