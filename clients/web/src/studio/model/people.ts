// Who else is in the world: what they look at, point at and have selected, and what is said. And what they see of this page.
//
// What others show comes as often as they move; what this page shows goes out thirty times a second at most, the last of it
// always. None of it is part of the world.
import {batch, effect, signal, type ReadonlySignal} from '@preact/signals';
import type {Client, WorldPresenceNotice, WorldSaidNotice} from '../../lib/index.js';
import type {WorldDocument} from './document.js';
import type {Selection} from './selection.js';
import type {Vec3} from './values.js';
import type {CameraPose} from './viewstate.js';

export interface Presence {
  readonly session: number;
  readonly name: string;
  // #rrggbb
  readonly color: string;
  // Null: not to be known.
  readonly camera: (CameraPose & {readonly up: Vec3; readonly fov: number}) | null;
  readonly cursor: Vec3 | null;
  readonly bodies: ReadonlySet<number>;
  readonly colliders: ReadonlySet<number>;
  readonly holds: number;
  readonly away: boolean;
}

export interface Said {
  readonly line: number;
  readonly session: number;
  readonly name: string;
  readonly text: string;
}

interface Showing {
  camera?: {position: Vec3; target: Vec3; up: Vec3; fov: number};
  cursor?: {point?: Vec3};
  selection?: ({body: number} | {collider: number} | {constraint: number})[];
}

const PERIOD_MS = 1000 / 30;
const LINES_KEPT = 100;
const SELECTION_MAX = 64;
const FOV = 0.66;
// On light and on dark ground, and told apart by most eyes; the same person has the same one on all pages.
const COLORS = ['#3a55d9', '#d9622b', '#14868c', '#a8329e', '#6a8a12', '#b3822c', '#7a5af0'];

// The name by which a person is called. The server numbers sessions that gave no name, which tells people nothing.
export function calledPerson(user: string): string {
  return /^(session-\d+)?$/.test(user) ? 'Someone' : user;
}

function colorOf(session: number): string {
  return COLORS[(session * 5) % COLORS.length]!;
}

function vec(value: ArrayLike<number> | undefined): Vec3 | null {
  return value === undefined ? null : [value[0]!, value[1]!, value[2]!];
}

function ids<K extends 'body' | 'collider'>(notice: WorldPresenceNotice, key: K): ReadonlySet<number> {
  return new Set(notice.selection.flatMap((thing) => (thing[key] === undefined ? [] : [thing[key] as number])));
}

function presenceOf(notice: WorldPresenceNotice): Presence {
  const {session, name, color, camera, cursor, holds, away} = notice;
  const position = vec(camera.position);
  const target = vec(camera.target);
  return {
    session,
    name: calledPerson(name),
    color: color || colorOf(session),
    camera:
      position === null || target === null
        ? null
        : {position, target, up: vec(camera.up) ?? [0, 1, 0], fov: camera.fov ?? FOV},
    cursor: vec(cursor.point),
    bodies: ids(notice, 'body'),
    colliders: ids(notice, 'collider'),
    holds: holds.length,
    away,
  };
}

export class People {
  private readonly own = {
    others: signal<ReadonlyMap<number, Presence>>(new Map()),
    said: signal<readonly Said[]>([]),
    unread: signal(0),
    following: signal(0),
  };

  // By session; this page is not among them.
  readonly others: ReadonlySignal<ReadonlyMap<number, Presence>> = this.own.others;
  // The last lines, the oldest first.
  readonly said: ReadonlySignal<readonly Said[]> = this.own.said;
  // Lines of others since they were read.
  readonly unread: ReadonlySignal<number> = this.own.unread;
  // Whose camera this page's follows; 0: nobody's.
  readonly following: ReadonlySignal<number> = this.own.following;

  private readonly offs: (() => void)[];
  private wanted: Showing = {};
  private sent = '';
  private timer: ReturnType<typeof setTimeout> | null = null;
  private sentAt = -Infinity;
  private shown: Showing = {};

  constructor(
    private readonly client: Client,
    private readonly document: WorldDocument,
    selection: Selection,
  ) {
    this.offs = [
      client.on('world.presence', (notice) => this.meet(notice)),
      client.on('world.said', (notice) => this.hear(notice)),
      // Those who are there are told again on every connection.
      client.onState((state) => state === 'open' && this.forget()),
      effect(() => {
        void [document.home.value, document.phase.value];
        this.enter();
      }),
      effect(() => {
        const {bodies, colliders, constraints, particles} = selection.selected.value;
        const things = [
          ...[...new Set([...bodies, ...particles.keys()])].map((body) => ({body})),
          ...[...colliders].map((collider) => ({collider})),
          ...[...constraints.keys()].map((constraint) => ({constraint})),
        ];
        this.show({selection: things.slice(0, SELECTION_MAX)});
      }),
    ];
  }

  close(): void {
    this.offs.forEach((off) => off());
    if (this.timer !== null) {
      clearTimeout(this.timer);
    }
  }

  // From where this page looks at the world.
  look(pose: CameraPose, fov: number): void {
    const {position, target} = pose;
    this.show({camera: {position: [...position], target: [...target], up: [0, 1, 0], fov}});
  }

  // What it points at; null: nothing.
  point(at: Vec3 | null): void {
    this.show({cursor: at === null ? {} : {point: at}});
  }

  follow(session: number): void {
    this.own.following.value = this.own.following.peek() === session ? 0 : session;
  }

  unfollow(): void {
    this.own.following.value = 0;
  }

  // Rejects with what was wrong.
  async say(text: string): Promise<void> {
    await this.client.call('presence.say', {world: this.document.home.peek(), text});
  }

  read(): void {
    this.own.unread.value = 0;
  }

  private forget(): void {
    this.own.others.value = new Map();
  }

  private world = 0;

  // The world is another one, or was joined again: this page tells it what it shows, and knows nothing of the others
  // yet.
  private enter(): void {
    const world = this.document.home.peek();
    const joined = this.document.phase.peek() === 'joined';
    if (world !== this.world) {
      this.world = world;
      batch(() => {
        this.own.others.value = new Map();
        this.own.said.value = [];
        this.own.unread.value = 0;
        this.own.following.value = 0;
      });
    }
    if (joined) {
      this.sent = '';
      this.wanted = {...this.shown, ...this.wanted};
      this.schedule();
    }
  }

  private meet(notice: WorldPresenceNotice): void {
    if (notice.world !== this.document.home.peek() && this.document.home.peek() !== 0) {
      return;
    }
    const others = new Map(this.own.others.peek());
    const known = this.document.people.peek().some((person) => person.session === notice.session);
    if (known === notice.gone) {
      this.document.refreshPeople().catch(() => undefined);
    }
    if (notice.gone) {
      others.delete(notice.session);
    } else {
      others.set(notice.session, presenceOf(notice));
    }
    batch(() => {
      this.own.others.value = others;
      if (notice.gone && this.own.following.peek() === notice.session) {
        this.own.following.value = 0;
      }
    });
  }

  private hear({world, line, session, name, text}: WorldSaidNotice): void {
    if (world !== this.document.home.peek()) {
      return;
    }
    batch(() => {
      this.own.said.value = [...this.own.said.peek(), {line, session, name: calledPerson(name), text}].slice(-LINES_KEPT);
      if (session !== this.client.hello?.session) {
        this.own.unread.value += 1;
      }
    });
  }

  private show(showing: Showing): void {
    this.wanted = {...this.wanted, ...showing};
    this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => this.send(), Math.max(0, this.sentAt + PERIOD_MS - performance.now()));
  }

  private send(): void {
    this.timer = null;
    const world = this.document.home.peek();
    const text = JSON.stringify(this.wanted);
    if (world === 0 || this.document.phase.peek() !== 'joined' || text === this.sent || text === '{}') {
      return;
    }
    this.sentAt = performance.now();
    const color = colorOf(this.client.hello?.session ?? 0);
    if (this.client.notify('presence.set', {world, color, ...this.wanted})) {
      this.sent = text;
      this.shown = {...this.shown, ...this.wanted};
      this.wanted = {};
    }
  }
}
