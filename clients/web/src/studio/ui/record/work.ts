// One export from beginning to end: frames, then the file, then where the browser saves it.
import type {Format, Pace} from '../../../record/index.js';
import {ENDS, Parts} from '../../../record/index.js';
import {connect, type Client} from '../../../lib/index.js';
import type {Studio} from '../context.js';
import {formatBytes} from '../forms/numbers.js';
import {save} from '../save.js';
import {ownName} from '../session/name.js';
import {ownToken} from '../session/token.js';
import type {Kind, Plan} from './plan.js';
import {Scribe, type Written} from './scribe.js';
import {recordLive, recordPast, type Taken, type Watch} from './source.js';
import {pictureOf, writeVideo} from './video.js';

// Above it, the file is written while it is made, where the browser lets pages do that; otherwise it is saved as a whole.
const LARGE_BYTES = 200e6;
const CANCELLED = 'cancelled';

type Picker = (options: {suggestedName: string}) => Promise<FileSystemFileHandle>;

function endOf(kind: Kind): string {
  return kind === 'webm' || kind === 'png' ? kind : ENDS[kind];
}

// Characters that file systems do not bear.
const stemOf = (world: string) => world.replace(/[\\/:*?"<>|\x00-\x1f]/g, '_') || 'world';

// A connection of its own, so that the picture of this page stays at its moment; of worlds in the page there is only one.
function another({app}: Studio): {client: Client; close: () => void} {
  if (app.inPage) {
    const before = app.past.at.peek();
    const back = () => (before === null ? undefined : app.past.seek(before));
    return {client: app.client, close: back};
  }
  const {invite: _, accepted: __, ...options} = app.options;
  const token = ownToken();
  const client = connect({...options, user: ownName.peek(), ...(token !== null && {token})});
  return {client, close: () => client.close()};
}

async function writeFrames(studio: Studio, format: Format, plan: Plan, stem: string, file: FileSystemFileHandle | undefined, watch: Watch): Promise<Taken<Scribe> & {written: Written}> {
  const {app} = studio;
  const {range, every, frameRate} = plan;
  const home = app.document.home.peek();
  const half = (from: number) => (share: number) => watch.tell(from + share / 2);
  const make = (scene: Scribe['scene']) => new Scribe(scene, watch.signal);
  const recording = {tell: half(0), signal: watch.signal};
  const {client, close} = range.from === 'past' ? another(studio) : {client: app.client, close: () => undefined};
  try {
    const taken =
      range.from === 'past'
        ? await recordPast(client, home, {first: range.first, last: range.last, every}, make, recording)
        : await recordLive(client, home, {ticks: range.ticks, every}, make, recording);
    const pace: Pace = {every, frameRate};
    const written = await taken.take.write({format, stem, pace, ...(file && {file})}, half(0.5), watch.signal);
    taken.take.end();
    return {...taken, written};
  } finally {
    close();
  }
}

async function writeFilm({app}: Studio, plan: Plan, file: FileSystemFileHandle | undefined, watch: Watch): Promise<Written> {
  const {range, every} = plan;
  const first = range.from === 'past' ? range.first : null;
  const ticks = {first, count: plan.frames, every};
  if (!file) {
    const parts = new Parts();
    await writeVideo(app, plan, ticks, parts, watch);
    const blob = parts.blob('video/webm');
    return {bytes: blob.size, blob};
  }
  const stream = await file.createWritable();
  let bytes = 0;
  const write = async (part: Uint8Array | Blob) => {
    bytes += part instanceof Blob ? part.size : part.byteLength;
    await stream.write(part as FileSystemWriteChunkType);
  };
  try {
    await writeVideo(app, plan, ticks, {write}, watch);
  } catch (error) {
    await stream.abort();
    throw error;
  }
  await stream.close();
  return {bytes};
}

async function chosenFile(plan: Plan, name: string): Promise<FileSystemFileHandle | undefined> {
  const {showSaveFilePicker: pick} = window as {showSaveFilePicker?: Picker};
  return plan.bytes > LARGE_BYTES && pick ? pick.call(window, {suggestedName: name}) : undefined;
}

// Says on the page how far it is, and what came of it.
export async function runExport(studio: Studio, plan: Plan): Promise<void> {
  const {app, ui} = studio;
  const stem = stemOf(app.document.name.peek());
  const name = `${stem}.${endOf(plan.kind)}`;
  const stopper = new AbortController();
  ui.reading.peek()?.cancel?.();
  const cancel = () => stopper.abort(new Error(CANCELLED));
  const show = (share: number | null) => (ui.reading.value = {name, doing: 'Exporting', share, cancel});
  const watch: Watch = {tell: show, signal: stopper.signal};
  try {
    const file = await chosenFile(plan, name);
    show(0);
    let notes: readonly string[] = [];
    let written: Written;
    if (plan.kind === 'png') {
      const blob = await pictureOf(app, plan.width, plan.height, plan.transparent);
      written = {bytes: blob.size, blob};
    } else if (plan.kind === 'webm') {
      written = await writeFilm(studio, plan, file, watch);
    } else {
      ({notes, written} = await writeFrames(studio, plan.kind, plan, stem, file, watch));
    }
    if (written.blob) save(name, written.blob);
    app.notices.info([`${name} is saved (${formatBytes(written.bytes)}).`, ...notes].join(' '));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const left = words === CANCELLED || (error instanceof DOMException && error.name === 'AbortError');
    if (!left) app.notices.info(`${name}: ${words}`);
  } finally {
    ui.reading.value = null;
  }
}
