// The sources of frames for a recording: a range of the past, or what the world does from now on.
//
//     past   world.seek moves a view tick by tick, and the stream of the view brings each
//     live   the stream of the world brings every n-th tick as it comes
import type {Client, Frame, Stream} from '../../../lib/index.js';
import type {TakenScene} from '../../../record/index.js';
import {fieldsOf, listOf, numberOf, stringOf} from '../../model/values.js';
import {Things} from './things.js';

export interface PastRange {
  readonly first: number;
  readonly last: number;
  readonly every: number;
}

export interface Watch {
  // Tells the share of the frames that is done, from 0 to 1.
  readonly tell: (share: number) => void;
  readonly signal: AbortSignal;
}

// Keeps the frames.
export interface Keeper {
  scene: TakenScene;
  // The keeper owns the numbers from then on.
  add(tick: number, frame: Float32Array): void;
}

export type Make<K> = (scene: TakenScene) => K;

export interface Taken<K> {
  readonly take: K;
  // Sentences that tell what is not in it.
  readonly notes: readonly string[];
}

const INEXACT =
  'A part of that range was computed by another version of the solver, of which not every tick can be shown. Choose a range after it.';

interface Joined {
  readonly bodies: unknown;
  readonly colliders: unknown;
}

const namesOf = (joined: Joined) =>
  new Map(listOf(joined.bodies).map(fieldsOf).map((body) => [numberOf(body.body, 0), stringOf(body.name) || `body ${numberOf(body.body, 0)}`]));

function bodyNotes(before: Map<number, string>, after: Map<number, string>): string[] {
  const left = [
    ...[...before].filter(([id]) => !after.has(id)).map(([, name]) => `${name} was removed within the range`),
    ...[...after].filter(([id]) => !before.has(id)).map(([, name]) => `${name} was added within the range`),
  ];
  return left.map((words) => `Left out: ${words}.`);
}

function colliderNotes(before: Joined, after: Joined): string[] {
  const ids = (joined: Joined) => new Set(listOf(joined.colliders).map((item) => numberOf(fieldsOf(item).collider, 0)));
  const [first, last] = [ids(before), ids(after)];
  const changed = [...first].some((id) => !last.has(id)) || [...last].some((id) => !first.has(id));
  return changed ? ['Colliders are those of the first tick: some were added or removed later.'] : [];
}

// Gives the frame of a tick as soon as the stream has brought it.
class Arrivals {
  private newest: Frame | null = null;
  private wanted: {readonly tick: number; readonly take: (frame: Frame) => void} | null = null;

  push(frame: Frame): void {
    this.newest = frame;
    if (this.wanted?.tick === frame.tick) {
      this.wanted.take(frame);
      this.wanted = null;
    }
  }

  at(tick: number, signal: AbortSignal): Promise<Frame> {
    if (this.newest?.tick === tick) {
      return Promise.resolve(this.newest);
    }
    return new Promise((take, reject) => {
      this.wanted = {tick, take};
      signal.addEventListener('abort', () => reject(signal.reason), {once: true});
    });
  }
}

export async function recordPast<K extends Keeper>(
  client: Client,
  world: number,
  {first, last, every}: PastRange,
  make: Make<K>,
  {tell, signal}: Watch,
): Promise<Taken<K>> {
  const seek = async (tick: number) => {
    signal.throwIfAborted();
    const shown = await client.call('world.seek', {world, tick});
    if (!shown.exact) {
      throw new Error(INEXACT);
    }
    return shown;
  };
  const count = Math.floor((last - first) / every) + 1;
  const end = first + (count - 1) * every;
  const {view} = await seek(first);
  const before = await client.call('world.join', {world: view});
  // Cloths have all corners of their tears at the end.
  await seek(end);
  const after = await client.call('world.join', {world: view});
  const [names, later] = [namesOf(before), namesOf(after)];
  const things = await Things.read(client, view, before, [...names.keys()].filter((id) => later.has(id)), false);
  let {revision} = await seek(first);
  const arrivals = new Arrivals();
  const params = {world: view, bodies: Uint32Array.from(things.ids), fields: things.fields};
  const stream = await client.subscribe(params, (frame) => arrivals.push(frame));
  const take = make(things.scene);
  try {
    for (let i = 0; i < count; i++) {
      const tick = first + i * every;
      const shown = i === 0 ? {revision} : await seek(tick);
      if (shown.revision !== revision) {
        revision = shown.revision;
        things.moved((await client.call('world.join', {world: view})).colliders);
      }
      await things.look(client, view, tick);
      take.add(tick, things.take(await arrivals.at(tick, signal)));
      tell((i + 1) / count);
    }
    take.scene = await things.finished(client, null);
  } finally {
    await stream.close().catch(() => undefined);
    // There may be few views at a time.
    await client.call('world.leave', {world: view}).catch(() => undefined);
  }
  return {take, notes: [...bodyNotes(names, later), ...colliderNotes(before, after)]};
}

export interface LiveRange {
  readonly ticks: number;
  readonly every: number;
}

// Gathers until so many ticks have passed.
export async function recordLive<K extends Keeper>(
  client: Client,
  world: number,
  {ticks, every}: LiveRange,
  make: Make<K>,
  {tell, signal}: Watch,
): Promise<Taken<K>> {
  const before = await client.call('world.join', {world});
  const names = namesOf(before);
  const things = await Things.read(client, world, before, [...names.keys()], true);
  const take = make(things.scene);
  const offs: (() => void)[] = [];
  const seen: number[] = [];
  offs.push(
    client.on('body.tear', ({world: torn, body, first, origins, tick}) => {
      if (torn === world) {
        things.split(body, first + origins.length - things.own(body), tick);
      }
    }),
  );
  let stream: Stream | null = null;
  try {
    await new Promise<void>((done, failed) => {
      const onFrame = (frame: Frame) => {
        const from = seen[0] ?? frame.tick;
        if (frame.tick > (seen[seen.length - 1] ?? -1)) {
          seen.push(frame.tick);
          take.add(frame.tick, things.take(frame));
        }
        tell(Math.min(1, (frame.tick - from) / ticks));
        if (frame.tick - from >= ticks) {
          done();
        }
      };
      const params = {world, bodies: Uint32Array.from(things.ids), fields: things.fields, every};
      client.subscribe(params, onFrame).then((made) => {
        stream = made;
        offs.push(made.onClosed((reason) => failed(new Error(reason))));
      }, failed);
      signal.addEventListener('abort', () => failed(signal.reason), {once: true});
    });
  } finally {
    offs.forEach((off) => off());
    await (stream as Stream | null)?.close().catch(() => undefined);
  }
  take.scene = await things.finished(client, world);
  const after = await client.call('world.join', {world});
  const missed = Math.floor((seen[seen.length - 1] - seen[0]) / every) + 1 - seen.length;
  const slow = missed > 0 ? [`Missed: ${missed} frames, which came too late.`] : [];
  return {take, notes: [...slow, ...bodyNotes(names, namesOf(after)), ...colliderNotes(before, after)]};
}
