// The mirror of one world's document, as signals.
//
// world.join gives the whole at a revision; world.edited continues from there without a gap. Where there is one all
// the same (a notice was lost for want of memory, a method this program does not know), the world is joined again.
// What an edit leaves out is asked for: body.get tells of topology, materials and pins at its own revision, and an
// edit that is older than that is ignored for that body.
//
//     none ──open()──▶ joining ──▶ joined ──▶ deleted         missing: no world of that name; tried again each second
//                       │  ▲         │                        (a restarted server may get it back)
//                       ▼  │         ▼ connection lost: joined stays, what is shown stays, and it is joined again
//                      missing      joining                   when the connection is there, unless that goes on with the
//                                                              session: then what was missed comes by itself
//
// look() shows a view of the world's past instead (world.seek), under the same name and beside the world itself, which
// stays joined; back() shows the world again. A view takes no edits and tells none: where it is moved to another
// revision, it is joined again.
import {batch, computed, effect, signal, type ReadonlySignal} from '@preact/signals';
import {
  WeftError,
  type BodyTearNotice,
  type Client,
  type Frame,
  type WorldChangedNotice,
  type WorldEditedNotice,
  type WorldPersonNotice,
} from '../../lib/index.js';
import {Constraints} from './constraints.js';
import {forcesOf, type ForceField} from './forcefields.js';
import {applyParts, partsOf, type Applied, type Contents, type RawEdit, type ThingKey} from './edits.js';
import {
  bodyOf,
  colliderOf,
  fieldsOf,
  grabOf,
  listOf,
  numberOf,
  personOf,
  settingsOf,
  stringOf,
  topologyOf,
  type Body,
  type Collider,
  type Fields,
  type Grab,
  type Person,
  type Settings,
  type Topology,
} from './values.js';

export type Phase = 'none' | 'joining' | 'joined' | 'missing' | 'deleted' | 'refused';

export interface Run {
  readonly state: 'playing' | 'paused' | 'failed';
  readonly rate: number;
  // Why it failed.
  readonly reason: string;
  // Who did it; empty and 0 if it was so when this program came, or if the world did.
  readonly user: string;
  readonly session: number;
}

// An edit that was made, whoever made it.
export interface Edit {
  readonly revision: number;
  readonly tick: number;
  readonly user: string;
  readonly session: number;
  readonly mine: boolean;
  readonly method: string;
  readonly things: readonly ThingKey[];
  readonly motion: boolean;
  readonly cut: boolean;
  // performance.now()
  readonly at: number;
}

const EDITS_KEPT = 100;
const JOIN_RETRY_MS = 1000;
const READS_AT_ONCE = 4;

const LOOKING = 'you look on here: an owner may make you an editor';
const PAST = 'the past is shown; it cannot be changed';

const NO_CONTENTS: Contents = {settings: settingsOf({}), bodies: new Map(), colliders: new Map(), forces: new Map()};

function byId<T>(items: readonly T[], id: (item: T) => number): ReadonlyMap<number, T> {
  return new Map(items.map((item) => [id(item), item]));
}

export class WorldDocument {
  private readonly state = {
    phase: signal<Phase>('none'),
    name: signal(''),
    error: signal<WeftError | null>(null),
    contents: signal<Contents>(NO_CONTENTS),
    run: signal<Run>({state: 'paused', rate: 1, reason: '', user: '', session: 0}),
    readOnly: signal(''),
    looking: signal(false),
    viewOf: signal(0),
    tick: signal(0),
    revision: signal(0),
    epoch: signal(0),
    people: signal<readonly Person[]>([]),
    grabs: signal<ReadonlyMap<number, Grab>>(new Map()),
    edits: signal<readonly Edit[]>([]),
    lastEdits: signal<ReadonlyMap<ThingKey, Edit>>(new Map()),
  };

  readonly phase: ReadonlySignal<Phase> = this.state.phase;
  // The world that was asked for, whether it is there or not; follows a rename.
  readonly name: ReadonlySignal<string> = this.state.name;
  // Why it could not be joined.
  readonly error: ReadonlySignal<WeftError | null> = this.state.error;
  // 0 where none is open.
  readonly world: ReadonlySignal<number> = computed(() => this.state.contents.value.settings.world);
  // The world whose past is shown; 0 where it is the world itself, as it is now.
  readonly viewOf: ReadonlySignal<number> = this.state.viewOf;
  // The world itself, whether it is shown as it is or as it was; 0 where none is open.
  readonly home: ReadonlySignal<number> = computed(() => this.state.viewOf.value || this.world.value);
  // Why it takes no edits now; empty where it does.
  readonly readOnly: ReadonlySignal<string> = computed(
    () => this.state.readOnly.value || (this.state.looking.value ? LOOKING : ''),
  );
  // Whether it may be looked at only.
  readonly looking: ReadonlySignal<boolean> = this.state.looking;
  readonly settings: ReadonlySignal<Settings> = computed(() => this.state.contents.value.settings);
  readonly bodies: ReadonlySignal<ReadonlyMap<number, Body>> = computed(
    () => this.state.contents.value.bodies,
  );
  readonly colliders: ReadonlySignal<ReadonlyMap<number, Collider>> = computed(
    () => this.state.contents.value.colliders,
  );
  // Fields of force.
  readonly forces: ReadonlySignal<ReadonlyMap<number, ForceField>> = computed(
    () => this.state.contents.value.forces,
  );
  readonly run: ReadonlySignal<Run> = this.state.run;
  readonly playing: ReadonlySignal<boolean> = computed(() => this.state.run.value.state === 'playing');
  // Of the newest frame.
  readonly tick: ReadonlySignal<number> = this.state.tick;
  readonly revision: ReadonlySignal<number> = this.state.revision;
  // Number of times that the document was read.
  readonly epoch: ReadonlySignal<number> = this.state.epoch;
  // Those who were there when the world was joined, and those who edited since. See refreshPeople().
  readonly people: ReadonlySignal<readonly Person[]> = this.state.people;
  // Of the newest frame.
  readonly grabs: ReadonlySignal<ReadonlyMap<number, Grab>> = this.state.grabs;
  // The last ones, oldest first; motions (a pin or a collider that is led along) are not among them.
  readonly edits: ReadonlySignal<readonly Edit[]> = this.state.edits;
  // Who changed which thing last.
  readonly lastEdits: ReadonlySignal<ReadonlyMap<ThingKey, Edit>> = this.state.lastEdits;

  readonly constraints: Constraints;

  private readonly editListeners = new Set<(edit: Edit, before: Contents) => void>();
  private readonly offs: (() => void)[];
  // Bodies to be read, in order of asking.
  private readonly unread = new Set<number>();
  private reading = 0;
  private attempt = 0;
  // What is joined next: a view, or the world itself by its id; null for the world of that name.
  private target: number | null = null;
  // Of bodies that the past brings and takes away: what never changes of them.
  private readonly topologies = new Map<number, Topology>();
  // With which the world was joined: after a reconnect the same id may be another world's.
  private session = 0;
  // A world.join is under way. What is told meanwhile is kept, and looked at when its answer was: several messages may
  // come at once, and then the answer is seen last.
  private joining = false;
  private early: (() => void)[] = [];
  private retry: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly client: Client) {
    this.constraints = new Constraints(client);
    this.offs = [
      client.on('world.edited', (notice) => this.inTurn(() => this.onEdited(notice))),
      client.on('world.changed', (notice) => this.inTurn(() => this.onChanged(notice))),
      client.on('body.tear', (notice) => this.inTurn(() => this.onTore(notice))),
      client.on('world.person', (notice) => this.inTurn(() => this.onPerson(notice))),
      client.onState((state) => {
        // A first join waited for the connection by itself.
        if (
          state === 'open' &&
          !client.resumed &&
          !this.joining &&
          this.state.name.peek() !== '' &&
          this.state.phase.peek() !== 'deleted'
        ) {
          // A view ended with the connection that asked for it.
          this.target = null;
          void this.join();
        }
      }),
      client.onSession((change, rejoin) => {
        const missed = rejoin.includes(this.home.peek()) || rejoin.includes(this.world.peek());
        if (change === 'back' && missed && !this.joining && this.state.name.peek() !== '') {
          this.target = null;
          void this.join();
        }
      }),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
    this.forget();
    this.state.phase.value = 'none';
    this.state.name.value = '';
  }

  // Leaves the world that is open and goes to another.
  async open(name: string): Promise<void> {
    this.abandon();
    this.state.name.value = name;
    this.state.phase.value = 'joining';
    await this.join();
  }

  // Opens none. The world that was open is left, unless somebody else on this page has it too.
  shut(shared = false): void {
    if (shared) {
      this.forget();
    } else {
      this.abandon();
    }
    this.state.name.value = '';
    this.state.phase.value = 'none';
  }

  // Shows a view of the world's past, or what the view that is shown was moved to. The world stays joined.
  async look(view: number): Promise<void> {
    this.target = view;
    await this.join();
  }

  // Shows the world itself again, as it is now; the view ends.
  async back(): Promise<void> {
    const view = this.world.peek();
    const home = this.viewOf.peek();
    if (home !== 0) {
      this.target = home;
      await this.join();
      this.leave(view);
    }
  }

  private abandon(): void {
    const left = new Set([this.world.peek(), this.home.peek()]);
    this.forget();
    left.forEach((world) => this.leave(world));
  }

  private leave(world: number): void {
    if (world !== 0 && this.client.state === 'open') {
      this.client.call('world.leave', {world}).catch(() => undefined);
    }
  }

  // Every edit as it comes, motions too, with what there was before.
  onEdit(callback: (edit: Edit, before: Contents) => void): () => void {
    this.editListeners.add(callback);
    return () => this.editListeners.delete(callback);
  }

  // A frame of the world: tells the tick and who holds what.
  take(frame: Frame): void {
    if (frame.world !== this.world.peek()) {
      return;
    }
    batch(() => {
      this.state.tick.value = frame.tick;
      const before = this.state.grabs.peek();
      if (frame.grabs && (frame.grabs.length > 0 || before.size > 0)) {
        this.state.grabs.value = byId(frame.grabs.map(grabOf), (grab) => grab.grab);
      }
    });
  }

  // Joins again, so that the world and everybody in it learn of a new name.
  async introduce(): Promise<void> {
    if (this.state.phase.peek() === 'joined' && this.client.state === 'open') {
      await this.readPeople(this.home.peek());
    }
  }

  // There is no notice of who comes and goes.
  async refreshPeople(): Promise<void> {
    if (this.state.phase.peek() !== 'joined' || this.client.state !== 'open') {
      return;
    }
    const world = this.home.peek();
    const {people} = await this.client.call('world.get', {world});
    if (people !== this.state.people.peek().length) {
      await this.readPeople(world);
    }
  }

  private async readPeople(world: number): Promise<void> {
    const joined = await this.client.call('world.join', {world});
    if (world === this.home.peek()) {
      this.state.people.value = listOf(joined.people).map(personOf);
    }
  }

  // -- joining

  // The role in it is to look on, or is not any more (access.ts).
  lookOn(only: boolean): void {
    this.state.looking.value = only;
  }

  private forget(): void {
    this.attempt++;
    this.joining = false;
    this.early = [];
    this.target = null;
    this.topologies.clear();
    this.unread.clear();
    if (this.retry !== null) {
      clearTimeout(this.retry);
      this.retry = null;
    }
    batch(() => {
      this.state.contents.value = NO_CONTENTS;
      this.state.run.value = {state: 'paused', rate: 1, reason: '', user: '', session: 0};
      this.state.readOnly.value = '';
      this.state.looking.value = false;
      this.state.viewOf.value = 0;
      this.state.tick.value = 0;
      this.state.revision.value = 0;
      this.state.people.value = [];
      this.state.grabs.value = new Map();
      this.state.edits.value = [];
      this.state.lastEdits.value = new Map();
      this.state.error.value = null;
    });
    this.constraints.restart(0, null);
  }

  private inTurn(act: () => void): void {
    if (this.joining) {
      this.early.push(act);
    } else {
      act();
    }
  }

  private async join(): Promise<void> {
    const attempt = ++this.attempt;
    this.joining = true;
    try {
      const joined = await this.client.call('world.join', {world: this.target ?? this.state.name.peek()});
      if (attempt === this.attempt) {
        this.joining = false;
        this.begin({...joined});
        this.early.splice(0).forEach((act) => act());
      }
    } catch (error) {
      if (attempt !== this.attempt) {
        return;
      }
      this.joining = false;
      this.early = [];
      if (!(error instanceof WeftError)) {
        throw error;
      }
      // It was told meanwhile that it is gone.
      if (this.state.phase.peek() === 'deleted') {
        return;
      }
      // A view that ended meanwhile: the world itself is there still, or that is what is to be said.
      if (this.target !== null && error.code === 'NOT_FOUND') {
        this.target = null;
        await this.join();
        return;
      }
      // BUSY: it is on its way from one server to another, or much waits there.
      if (error.code === 'NOT_FOUND' || error.code === 'BUSY') {
        this.retry = setTimeout(() => void this.join(), JOIN_RETRY_MS);
      }
      // A lost connection joins when it is back.
      if (error.code !== 'LOST' && error.code !== 'CLOSED' && error.code !== 'BUSY') {
        batch(() => {
          this.state.error.value = error;
          this.state.phase.value = error.code === 'NOT_FOUND' ? 'missing' : 'refused';
        });
      }
    }
  }

  private begin(joined: Fields): void {
    const viewOf = numberOf(joined.view_of, 0);
    const told = settingsOf(joined);
    // A view has no name of its own.
    const settings = viewOf === 0 ? told : {...told, name: this.state.name.peek()};
    const revision = numberOf(joined.revision, 0);
    const old = this.state.contents.peek();
    const session = this.client.hello?.session ?? 0;
    const again = this.home.peek() === (viewOf || settings.world) && session === this.session;
    // The same picture goes on where only what the view shows is another.
    const moved = again && viewOf !== 0 && old.settings.world === settings.world;
    this.session = session;
    this.target = viewOf === 0 ? null : settings.world;
    this.keepTopologies(again, old);
    // A body's topology changes only where it tears, but its masses may: what is known is shown until it is read again.
    const topology = ({body}: Fields) => this.topologies.get(numberOf(body, 0)) ?? null;
    const bodies = byId(
      listOf(joined.bodies).map((entry) => bodyOf(fieldsOf(entry), revision, topology(fieldsOf(entry)))),
      (body) => body.body,
    );
    const colliders = byId(
      listOf(joined.colliders).map((entry) => colliderOf(fieldsOf(entry))),
      (collider) => collider.collider,
    );
    // Things that do not exist any more appear again only when the past is shown.
    if (viewOf === 0) {
      this.topologies.clear();
    }
    const contents = {settings, bodies, colliders, forces: forcesOf(joined.forces)};
    batch(() => {
      this.state.contents.value = contents;
      this.state.name.value = settings.name;
      this.state.run.value = {
        state: joined.state === 'playing' || joined.state === 'failed' ? joined.state : 'paused',
        rate: numberOf(joined.rate, 1),
        reason: '',
        user: '',
        session: 0,
      };
      this.state.viewOf.value = viewOf;
      this.state.readOnly.value = stringOf(joined.read_only) || (viewOf === 0 ? '' : PAST);
      this.state.tick.value = numberOf(joined.tick, 0);
      this.state.revision.value = revision;
      // Who is here is at the world itself, whatever of it is shown.
      if (viewOf === 0) {
        this.state.people.value = listOf(joined.people).map(personOf);
      }
      this.state.grabs.value = byId(listOf(joined.grabs).map(grabOf), (grab) => grab.grab);
      if (!again) {
        this.state.edits.value = [];
        this.state.lastEdits.value = new Map();
      }
      this.state.error.value = null;
      this.state.phase.value = 'joined';
      if (!moved) {
        this.state.epoch.value = this.state.epoch.peek() + 1;
      }
    });
    this.constraints.restart(settings.world, contents);
    this.unread.clear();
    bodies.forEach((body) => this.read(body.body));
    if (this.state.run.peek().state === 'failed') {
      void this.readReason(settings.world);
    }
  }

  // What is known of the bodies of this world, of its past too.
  private keepTopologies(again: boolean, old: Contents): void {
    if (!again) {
      this.topologies.clear();
    } else {
      old.bodies.forEach(({body, topology}) => topology && this.topologies.set(body, topology));
    }
  }

  private async readReason(world: number): Promise<void> {
    try {
      const {reason} = await this.client.call('world.get', {world});
      if (world === this.world.peek() && this.state.run.peek().state === 'failed') {
        this.state.run.value = {...this.state.run.peek(), reason};
      }
    } catch {
      // The reason is a nicety: without it the world is still shown as failed.
    }
  }

  // Once the page has heard of that revision of the world, or of none any more.
  reached(revision: number): Promise<void> {
    return new Promise((resolve) => {
      let off: (() => void) | null = null;
      let done = false;
      off = effect(() => {
        const {value: phase} = this.state.phase;
        if (done || (this.state.revision.value < revision && (phase === 'joined' || phase === 'joining'))) return;
        done = true;
        resolve();
        queueMicrotask(() => off?.());
      });
    });
  }

  // -- following

  private onEdited(notice: WorldEditedNotice): void {
    if (notice.world !== this.world.peek() || this.state.phase.peek() !== 'joined') {
      return;
    }
    const revision = this.state.revision.peek();
    if (notice.revision <= revision) {
      return;
    }
    if (notice.revision !== revision + 1) {
      void this.join();
      return;
    }
    const raw: RawEdit = {
      revision: notice.revision,
      method: notice.method,
      params: fieldsOf(notice.params),
      result: fieldsOf(notice.result),
      omitted: listOf(notice.omitted),
    };
    const before = this.state.contents.peek();
    const parts: [RawEdit, Contents][] = [];
    const applied = applyParts(before, partsOf(raw), (part, contents) => parts.push([part, contents]));
    const edit: Edit = {
      revision: notice.revision,
      tick: notice.tick,
      user: notice.user,
      session: notice.session,
      mine: notice.session === this.client.hello?.session,
      method: notice.method,
      things: applied.things,
      motion: applied.motion,
      cut: applied.cut,
      at: performance.now(),
    };
    this.commit(applied, edit);
    parts.forEach(([part, contents]) => this.constraints.edited(part, contents));
    applied.stale.forEach((body) => this.read(body));
    this.editListeners.forEach((listener) => listener(edit, before));
    if (applied.unknown) {
      void this.join();
    }
  }

  private commit(applied: Applied, edit: Edit): void {
    batch(() => {
      this.state.contents.value = applied.contents;
      this.state.revision.value = edit.revision;
      this.state.name.value = applied.contents.settings.name;
      if (applied.grabsEnded && this.state.grabs.peek().size > 0) {
        this.state.grabs.value = new Map();
      }
      if (edit.method === 'world.reset' && this.state.run.peek().state === 'failed') {
        this.state.run.value = {
          ...this.state.run.peek(),
          state: 'paused',
          reason: '',
          user: edit.user,
          session: edit.session,
        };
      }
      this.meet({session: edit.session, user: edit.user});
      if (!edit.motion) {
        this.state.edits.value = [...this.state.edits.peek().slice(1 - EDITS_KEPT), edit];
        const last = new Map(this.state.lastEdits.peek());
        edit.things.forEach((thing) => last.set(thing, edit));
        this.state.lastEdits.value = last;
      }
    });
  }

  private onChanged(notice: WorldChangedNotice): void {
    if (notice.state === 'deleted' && notice.world === this.home.peek()) {
      this.state.phase.value = 'deleted';
      return;
    }
    // What moved is joined where it is now.
    if (notice.world !== this.world.peek() || notice.state === 'deleted' || notice.state === 'moved') {
      return;
    }
    const {state, rate, reason, user, session, read_only: readOnly = ''} = notice;
    batch(() => {
      this.state.tick.value = notice.tick;
      // A view only tells that it was moved.
      if (this.viewOf.peek() === 0) {
        this.state.run.value = {state, rate, reason, user, session};
        this.state.readOnly.value = readOnly;
      }
    });
  }

  private onPerson(notice: WorldPersonNotice): void {
    if (notice.world === this.home.peek()) {
      this.meet(notice);
    }
  }

  // Somebody is there, by this name.
  private meet({session, user, client}: {session: number; user: string; client?: string}): void {
    const people = this.state.people.peek();
    const known = people.find((person) => person.session === session);
    const person = {session, user, client: client ?? known?.client ?? ''};
    if (!known) {
      this.state.people.value = [...people, person];
    } else if (known.user !== person.user || known.client !== person.client) {
      this.state.people.value = people.map((one) => (one === known ? person : one));
    }
  }

  // -- reading bodies

  // Triangles have other corners, and particles split off: all of the body is read again.
  private onTore({world, body}: BodyTearNotice): void {
    if (world === this.world.peek()) {
      this.topologies.delete(body);
      this.read(body);
    }
  }

  private read(body: number): void {
    this.unread.add(body);
    this.readNext();
  }

  private readNext(): void {
    while (this.reading < READS_AT_ONCE) {
      const [body] = this.unread;
      if (body === undefined) {
        return;
      }
      this.unread.delete(body);
      this.reading++;
      void this.readBody(body).finally(() => {
        this.reading--;
        this.readNext();
      });
    }
  }

  private async readBody(id: number): Promise<void> {
    const attempt = this.attempt;
    let fields: Fields;
    try {
      fields = {...(await this.client.call('body.get', {world: this.world.peek(), body: id}))};
    } catch {
      // It was removed meanwhile, or the connection is lost and the world will be joined again.
      return;
    }
    const contents = this.state.contents.peek();
    const known = contents.bodies.get(id);
    if (attempt !== this.attempt || !known) {
      return;
    }
    const revision = numberOf(fields.revision, 0);
    if (revision < known.revision) {
      this.read(id);
      return;
    }
    const body = bodyOf(fields, revision, topologyOf(fields));
    this.state.contents.value = {...contents, bodies: new Map(contents.bodies).set(id, body)};
  }
}
