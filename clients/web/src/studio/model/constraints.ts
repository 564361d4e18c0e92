// Constraints of the world that is followed. The loose ones (made by constraint.add) are always known; those of
// bodies, tens of thousands of them, only while somebody wants a kind.
//
// A load asks page by page while edits go on. Edits are applied at once and remembered by each load under way;
// when its pages have come, they are applied again. Each of them may be applied twice without harm: values are
// set, ids are never used again, and what was added while loading is fetched on its own.
import {signal, type ReadonlySignal, type Signal} from '@preact/signals';
import {KINDS, type Client, type ConstraintListResult} from '../../lib/index.js';
import {JOINT_TYPES, MOTORS, type JointType} from './joints.js';
import type {Contents, RawEdit} from './edits.js';
import {
  constraintAt,
  emptyTable,
  filtered,
  merged,
  rowOf,
  tableOf,
  VALUE_COLUMNS,
  withValues,
  type ConstraintTable,
  type ValueColumn,
} from './table.js';
import {
  byKind,
  CONSTRAINT_KINDS,
  numberOf,
  numbersOf,
  type Body,
  type Constraint,
  type ConstraintKind,
  type Material,
} from './values.js';

const PAGE = 50_000;
const LOOSE_PAGE = 256;
const NEAR = 64;

type Tables = Record<ConstraintKind, Signal<ConstraintTable | null>>;

interface Load {
  readonly edits: RawEdit[];
  over: boolean;
}

// The compliance of a solid is 1/μ.
function materialOfKind(body: Body, kind: ConstraintKind): Material {
  const {part} = KINDS[kind];
  if (part !== 'solid') return body[part];
  const {young, poisson, damping} = body.solid ?? {young: 0, poisson: 0, damping: 0};
  return {compliance: young > 0 ? (2 * (1 + poisson)) / young : 0, damping};
}

// The body's kinds that a body.set changes.
function kindsSet(edit: RawEdit): ConstraintKind[] {
  const {params} = edit;
  return CONSTRAINT_KINDS.filter((kind) => params[KINDS[kind].part]);
}

// A constraint with the fields that tables do not have.
export type ConstraintFields = Constraint & Pick<ConstraintRead, 'more' | 'joint'>;

// longForce: what long edges and tethers carry past it; undefined where the world has none.
export interface ConstraintRead extends Constraint {
  readonly force: number;
  readonly longForce?: number | undefined;
  // True for a join that has parted, or a joint that has broken. It holds nothing any more.
  readonly parted?: boolean;
  // Values that tables lack: limits, motors and force limits of joins and joints, by the names of constraint.set.
  readonly more: Readonly<Record<string, unknown>>;
  // Joints alone have this.
  readonly joint?: JointRead | undefined;
  // Further facts from the server; slides, rails and fabrics have such.
  readonly told: readonly Told[];
}

export interface JointRead {
  readonly what: JointType;
  // The angle of a hinge in rad; of others m.
  readonly place: number;
  // null: none.
  readonly limits: readonly [number, number] | null;
}

// One number or several of constraint.list, with its name there.
export interface Told {
  readonly name: 'side' | 'along' | 'end_forces' | 'strains' | 'tensions';
  readonly values: readonly number[];
}

const MORE = [
  'rest_end',
  'seconds',
  'force_limit',
  'turn_compliance',
  'motor_target',
  'motor_most',
  'motor_compliance',
] as const;
const TOLD = ['side', 'along', 'end_forces', 'strains', 'tensions'] as const;

// The fields of a row of constraint.list that tables do not have.
function moreOf(page: ConstraintListResult, row: number): Record<string, unknown> {
  const more: Record<string, unknown> = {};
  for (const name of MORE) {
    const value = numbersOf(page[name])?.[row];
    if (value !== undefined) more[name] = value;
  }
  const motor = MOTORS[numbersOf(page.motors)?.[row] ?? -1];
  // A motor's fields are of use beside one alone.
  return motor ? {...more, motor} : more;
}

function jointOf(page: ConstraintListResult, row: number): JointRead | undefined {
  const what = JOINT_TYPES[numbersOf(page.joints)?.[row] ?? -1];
  const limits = numbersOf(page.limits);
  const [least, most] = [limits?.[2 * row] ?? 1, limits?.[2 * row + 1] ?? -1];
  return what && {what, place: numbersOf(page.places)?.[row] ?? 0, limits: least <= most ? [least, most] : null};
}

function toldOf(page: ConstraintListResult, row: number, count: number): Told[] {
  return TOLD.flatMap((name) => {
    const all = numbersOf(page[name]);
    const each = all ? all.length / count : 0;
    return all && each >= 1 ? [{name, values: Array.from(all).slice(each * row, each * (row + 1))}] : [];
  });
}

export class Constraints {
  private readonly all: Tables;
  private readonly looseTables: Tables;
  private readonly wanted = new Map<ConstraintKind, number>();
  private readonly loads = new Set<Load>();
  private readonly removedListeners = new Set<(gone: (id: number) => boolean) => void>();
  private world = 0;
  private bodies: ReadonlyMap<number, Body> = new Map();

  constructor(private readonly client: Client) {
    const tables = (): Tables => byKind(() => signal<ConstraintTable | null>(null));
    this.all = tables();
    this.looseTables = tables();
  }

  // All of a kind; null while nobody wants them and until they are loaded.
  table(kind: ConstraintKind): ReadonlySignal<ConstraintTable | null> {
    return this.all[kind];
  }

  // Those of a kind that belong to no body's material; null until they are loaded.
  loose(kind: ConstraintKind): ReadonlySignal<ConstraintTable | null> {
    return this.looseTables[kind];
  }

  // Keeps all of a kind until the function that is returned is called.
  want(kind: ConstraintKind): () => void {
    const before = this.wanted.get(kind) ?? 0;
    this.wanted.set(kind, before + 1);
    if (before === 0 && this.world !== 0) {
      void this.loadAll(kind);
    }
    let released = false;
    return () => {
      if (released) {
        return;
      }
      released = true;
      const left = (this.wanted.get(kind) ?? 1) - 1;
      this.wanted.set(kind, left);
      if (left === 0) {
        this.all[kind].value = null;
      }
    };
  }

  // From what is loaded; null if it is not known.
  find(id: number): Constraint | null {
    for (const kind of CONSTRAINT_KINDS) {
      for (const table of [this.all[kind].value, this.looseTables[kind].value]) {
        const row = table ? rowOf(table, id) : -1;
        if (table && row >= 0) {
          return constraintAt(table, row);
        }
      }
    }
    return null;
  }

  // The body and kind whose material made this constraint; null for a loose one.
  ownerOf(id: number): {readonly body: Body; readonly kind: ConstraintKind} | null {
    for (const body of this.bodies.values()) {
      for (const kind of CONSTRAINT_KINDS) {
        const {first, count} = body.constraints[kind];
        if (id >= first && id < first + count) {
          return {body, kind};
        }
      }
    }
    return null;
  }

  // One constraint with its forces, asked of the server; null where there is none.
  async read(kind: ConstraintKind, id: number): Promise<ConstraintRead | null> {
    const page = await this.client.call('constraint.list', {
      world: this.world,
      type: kind,
      after: id - 1,
      limit: 1,
      forces: true,
    });
    const table = tableOf(kind, page);
    const force = numbersOf(page.forces)?.[0] ?? 0;
    const longForce = numbersOf(page.long_forces)?.[0];
    const parted = Array.from(numbersOf(page.parted) ?? []).includes(id);
    const own = {more: moreOf(page, 0), joint: jointOf(page, 0), told: toldOf(page, 0, 1)};
    return table.ids[0] === id ? {...constraintAt(table, 0), force, longForce, parted, ...own} : null;
  }

  // Those of a kind with these ids, asked of the server; what is not there is left out. Ids that lie near each other
  // are asked for together.
  async readAll(kind: ConstraintKind, ids: readonly number[]): Promise<ConstraintFields[]> {
    const wanted = new Set(ids);
    return (await this.pages(kind, ids)).flatMap((page) => {
      const table = tableOf(kind, page);
      return Array.from(table.ids, (_, row) => ({
        ...constraintAt(table, row),
        more: moreOf(page, row),
        joint: jointOf(page, row),
      })).filter(({constraint}) => wanted.has(constraint));
    });
  }

  // Pages with all that the server tells of these ids, and of others between them.
  async pages(kind: ConstraintKind, ids: readonly number[]): Promise<ConstraintListResult[]> {
    const wanted = new Set(ids);
    const runs: {first: number; last: number}[] = [];
    for (const id of [...wanted].sort((a, b) => a - b)) {
      const run = runs[runs.length - 1];
      if (run && id - run.last <= NEAR) run.last = id;
      else runs.push({first: id, last: id});
    }
    return Promise.all(
      runs.map(({first, last}) =>
        this.client.call('constraint.list', {
          world: this.world,
          type: kind,
          after: first - 1,
          limit: last - first + 1,
        }),
      ),
    );
  }

  // The document was read again.
  restart(world: number, contents: Contents | null): void {
    for (const load of this.loads) {
      load.over = true;
    }
    this.loads.clear();
    this.world = world;
    this.bodies = contents?.bodies ?? new Map();
    for (const kind of CONSTRAINT_KINDS) {
      this.looseTables[kind].value = null;
      this.all[kind].value = null;
      if (world !== 0) {
        void this.loadLoose(kind);
        if ((this.wanted.get(kind) ?? 0) > 0) {
          void this.loadAll(kind);
        }
      }
    }
  }

  // `contents` is the document after the edit.
  edited(edit: RawEdit, contents: Contents): void {
    const gone = this.removedBy(edit);
    this.bodies = contents.bodies;
    for (const load of this.loads) {
      load.edits.push(edit);
    }
    this.apply(edit);
    if (edit.method === 'constraint.add') {
      void this.loadAdded(edit);
    } else if (edit.method === 'body.add') {
      void this.loadBody(numberOf(edit.result.body, 0));
    }
    if (gone) {
      this.removedListeners.forEach((listener) => listener(gone));
    }
  }

  // Calls back with a test of ids whenever constraints are gone.
  onRemoved(callback: (gone: (id: number) => boolean) => void): () => void {
    this.removedListeners.add(callback);
    return () => this.removedListeners.delete(callback);
  }

  private removedBy(edit: RawEdit): ((id: number) => boolean) | null {
    if (edit.method === 'constraint.remove') {
      const ids = numbersOf(edit.params.constraints);
      const gone = ids && new Set<number>(Array.from(ids));
      // Of too many to be named, any may be gone.
      return (id) => !gone || gone.has(id);
    }
    if (edit.method === 'body.remove') {
      const body = this.bodies.get(numberOf(edit.params.body, 0));
      const loose = new Set<number>(Array.from(numbersOf(edit.result.constraints) ?? []));
      const ranges = body ? CONSTRAINT_KINDS.map((kind) => body.constraints[kind]) : [];
      return (id) => loose.has(id) || ranges.some(({first, count}) => id >= first && id < first + count);
    }
    return null;
  }

  // -- edits

  private apply(edit: RawEdit): void {
    switch (edit.method) {
      case 'constraint.set':
        this.applySet(edit);
        break;
      case 'constraint.remove':
        this.applyRemove(numbersOf(edit.params.constraints));
        break;
      case 'body.set':
        this.applyMaterial(edit);
        break;
      case 'body.remove':
        this.applyBodyRemove(edit);
        break;
      default:
        break;
    }
  }

  private each(change: (table: ConstraintTable) => ConstraintTable): void {
    for (const kind of CONSTRAINT_KINDS) {
      for (const table of [this.all[kind], this.looseTables[kind]]) {
        if (table.peek()) {
          table.value = change(table.peek()!);
        }
      }
    }
  }

  private applySet(edit: RawEdit): void {
    const ids = numbersOf(edit.params.constraints);
    const given = new Map<ValueColumn, ArrayLike<number>>();
    let told = ids !== null;
    for (const column of VALUE_COLUMNS) {
      const values = edit.params[column];
      if (values !== undefined && values !== null) {
        const numbers = numbersOf(values);
        told = told && numbers !== null;
        given.set(column, numbers ?? []);
      }
    }
    if (!ids || !told || given.size === 0) {
      this.reload();
      return;
    }
    // Compliance and stiffness exclude each other.
    if (given.has('stiffness')) {
      given.set('compliance', [0]);
    } else if (given.has('compliance')) {
      given.set('stiffness', [-1]);
    }
    this.each((table) => {
      const rows: number[] = [];
      const places: number[] = [];
      for (let i = 0; i < ids.length; i++) {
        const row = rowOf(table, ids[i]);
        if (row >= 0) {
          rows.push(row);
          places.push(i);
        }
      }
      if (rows.length === 0) {
        return table;
      }
      const values: Partial<Record<ValueColumn, (index: number) => number>> = {};
      for (const [column, numbers] of given) {
        values[column] = (index) => numbers[numbers.length === 1 ? 0 : places[index]];
      }
      return withValues(table, rows, values);
    });
  }

  private applyRemove(ids: ArrayLike<number> | null): void {
    if (!ids) {
      this.reload();
      return;
    }
    const gone = new Set<number>(Array.from(ids));
    this.each((table) => filtered(table, (row) => !gone.has(table.ids[row])));
  }

  private applyMaterial(edit: RawEdit): void {
    const body = this.bodies.get(numberOf(edit.params.body, 0));
    for (const kind of body ? kindsSet(edit) : []) {
      const table = this.all[kind].peek();
      const {first, count} = body!.constraints[kind];
      if (!table || count === 0) {
        continue;
      }
      const material = materialOfKind(body!, kind);
      const rows: number[] = [];
      table.ids.forEach((id, row) => {
        if (id >= first && id < first + count) {
          rows.push(row);
        }
      });
      this.all[kind].value = withValues(table, rows, {
        compliance: () => material.compliance,
        damping: () => material.damping,
        stiffness: () => material.stiffness ?? -1,
      });
    }
  }

  private applyBodyRemove(edit: RawEdit): void {
    const gone = edit.params.body;
    this.each((table) =>
      filtered(table, (row) => {
        for (let i = row * table.stride; i < (row + 1) * table.stride; i++) {
          if (table.bodies[i] === gone) {
            return false;
          }
        }
        return true;
      }),
    );
  }

  // -- loading

  private reload(): void {
    for (const kind of CONSTRAINT_KINDS) {
      void this.loadLoose(kind);
      if ((this.wanted.get(kind) ?? 0) > 0) {
        void this.loadAll(kind);
      }
    }
  }

  // Runs `fetch` and passes its result to `put`, unless the document was left meanwhile. A lost connection ends it: the
  // document is read again after that.
  private async load<T>(fetch: (load: Load) => Promise<T>, put: (value: T) => void): Promise<void> {
    const load: Load = {edits: [], over: false};
    this.loads.add(load);
    try {
      const value = await fetch(load);
      if (!load.over) {
        this.loads.delete(load);
        put(value);
        load.edits.forEach((edit) => this.apply(edit));
      }
    } catch {
      this.loads.delete(load);
    }
  }

  private async page(kind: ConstraintKind, after: number, limit: number) {
    return this.client.call('constraint.list', {world: this.world, type: kind, after, limit});
  }

  private loadAll(kind: ConstraintKind): Promise<void> {
    return this.load(
      async (load) => {
        let table = emptyTable(kind);
        for (let after = 0; !load.over;) {
          const page = await this.page(kind, after, PAGE);
          table = merged(table, tableOf(kind, page));
          after = page.next;
          if (after === 0) {
            break;
          }
        }
        return table;
      },
      (table) => {
        if ((this.wanted.get(kind) ?? 0) > 0) {
          this.all[kind].value = table;
        }
      },
    );
  }

  // Ranges of bodies are jumped over.
  private loadLoose(kind: ConstraintKind): Promise<void> {
    return this.load(
      async (load) => {
        let table = emptyTable(kind);
        for (let after = 0; !load.over;) {
          const range = this.rangeAt(kind, after + 1);
          if (range) {
            after = range.first + range.count - 1;
            continue;
          }
          const page = await this.page(kind, after, LOOSE_PAGE);
          const rows = tableOf(kind, page);
          table = merged(
            table,
            filtered(rows, (row) => !this.rangeAt(kind, rows.ids[row])),
          );
          if (page.next === 0) {
            break;
          }
          after = page.next;
        }
        return table;
      },
      (table) => {
        this.looseTables[kind].value = table;
      },
    );
  }

  private rangeAt(kind: ConstraintKind, id: number) {
    for (const body of this.bodies.values()) {
      const range = body.constraints[kind];
      if (id >= range.first && id < range.first + range.count) {
        return range;
      }
    }
    return null;
  }

  private async loadAdded(edit: RawEdit): Promise<void> {
    const ids = numbersOf(edit.result.constraints);
    const kind = CONSTRAINT_KINDS.find((known) => known === edit.params.type);
    if (!kind || !ids || ids.length === 0) {
      this.reload();
      return;
    }
    await this.loadRange(kind, ids[0], ids.length, [this.all[kind], this.looseTables[kind]]);
  }

  private async loadBody(id: number): Promise<void> {
    const body = this.bodies.get(id);
    for (const kind of body ? CONSTRAINT_KINDS : []) {
      const {first, count} = body!.constraints[kind];
      if (count > 0 && (this.wanted.get(kind) ?? 0) > 0) {
        await this.loadRange(kind, first, count, [this.all[kind]]);
      }
    }
  }

  private loadRange(
    kind: ConstraintKind,
    first: number,
    count: number,
    tables: readonly Signal<ConstraintTable | null>[],
  ): Promise<void> {
    return this.load(
      async () => {
        let table = emptyTable(kind);
        for (let after = first - 1; after < first + count - 1;) {
          const page = await this.page(kind, after, Math.min(PAGE, count));
          table = merged(table, tableOf(kind, page));
          if (page.next === 0) {
            break;
          }
          after = page.next;
        }
        return filtered(table, (row) => table.ids[row] >= first && table.ids[row] < first + count);
      },
      (rows) => {
        for (const table of tables) {
          if (table.peek()) {
            table.value = merged(table.peek()!, rows);
          }
        }
      },
    );
  }
}
