// Copies what is selected, as the text of a scene, and makes it again here or in another world.
//
// The text goes to the system's clipboard, so it can be pasted in another tab, sent to somebody, or kept as a file that
// opens as a scene. Without a clipboard (a page without a secure connection) copies stay within this page.
import type {Scene} from '../../../files/index.js';
import type {App} from '../../model/app.js';
import {addFragment, fragmentOf, readFragment, type Fragment} from '../../model/fragment.js';
import type {Outcome} from '../../model/outcome.js';
import {NOTHING_SELECTED, type Selected, type Thing} from '../../model/selection.js';
import {f64sOf, fieldsOf, type Vec3} from '../../model/values.js';
import {whyFixed, type Studio} from '../context.js';
import {errorWords} from '../errors.js';
import {shownAside} from '../files/shown.js';
import type {Values} from '../forms/binding.js';
import {takenIn} from '../gallery/add.js';
import {colliderExtent, extentOf, together, wayOut} from '../gallery/place.js';
import {freeName, wordsFor} from '../names.js';
import {remove} from '../removal.js';
import {sceneText} from '../scenes/write.js';

// The longest text of a copy. A larger part of a world is a scene to be saved.
const BYTES_MAX = 32 * 1024 * 1024;

// The last copy, for a page that has no clipboard.
let last = '';

export async function copy(studio: Studio): Promise<boolean> {
  const {app} = studio;
  const selected = app.selection.selected.peek();
  if (!hasThings(selected)) {
    app.notices.info('Select bodies or colliders to copy.');
    return false;
  }
  const read = await readFragment(app, selected);
  if (!read.ok) {
    app.notices.error(read.error);
    return false;
  }
  const fragment = read.result;
  const text = sceneText(app.document.name.peek(), {...fragment} as Scene['document']).join('');
  if (text.length > BYTES_MAX) {
    app.notices.info('This is too much for the clipboard. Save the world as a scene instead.');
    return false;
  }
  last = text;
  const kept = await write(text);
  const where = kept ? '' : ' This page has no clipboard, so it can be pasted in this tab only.';
  app.notices.info(`Copied ${wordsOf(fragment)}.${where}`);
  return true;
}

// Nothing is removed that was not copied.
export async function cut(studio: Studio): Promise<void> {
  const {app} = studio;
  if (refused(app)) return;
  const {bodies, colliders} = app.selection.selected.peek();
  if (await copy(studio)) await remove(app, {...NOTHING_SELECTED, bodies, colliders});
}

// Pastes the text; absent: what is on the clipboard.
export async function paste(studio: Studio, given?: string): Promise<void> {
  const {app, ui} = studio;
  if (refused(app)) return;
  const text = given ?? (await readClipboard());
  if (!/^\s*\{[^]*"weft"\s*:/.test(text)) {
    app.notices.info('There is nothing on the clipboard that can be pasted here. Copy bodies or colliders first.');
    return;
  }
  try {
    const scene = await shownAside(ui, 'Clipboard', 'scene', {scene: new File([text], 'clipboard.json'), beside: []});
    if (!scene) return;
    const fragment = fragmentOf(fieldsOf(scene.document));
    if (fragment.bodies.length + fragment.colliders.length === 0) {
      app.notices.info('The scene on the clipboard has neither bodies nor colliders.');
      return;
    }
    await put(app, fragment, `Pasted ${wordsOf(fragment)}.`, 'Nothing was pasted.');
  } catch (error) {
    app.notices.info(`Nothing was pasted. ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function duplicate({app}: Pick<Studio, 'app'>): Promise<void> {
  const selected = app.selection.selected.peek();
  if (refused(app) || !hasThings(selected)) return;
  const read = await readFragment(app, selected);
  if (!read.ok) app.notices.error(read.error);
  else await put(app, read.result, '', 'Nothing was duplicated.');
}

// Beside what is there, with free names; what was made is selected.
async function put(app: App, fragment: Fragment, done: string, failed: string): Promise<void> {
  const extents = [
    ...fragment.bodies.map((body) => extentOf(f64sOf(fieldsOf(body.state).positions ?? body.positions))),
    ...fragment.colliders.map((collider) => colliderExtent(collider as Values)),
  ];
  const by = wayOut(together(extents), takenIn(app)) as Vec3;
  const {bodies, colliders} = app.document;
  const free = (things: Iterable<{readonly name: string}>) => {
    const names = [...things].map(({name}) => name);
    return (name: string) => {
      names.push(freeName(name, names));
      return names[names.length - 1]!;
    };
  };
  const names = {body: free(bodies.peek().values()), collider: free(colliders.peek().values())};
  const made: Outcome<readonly Thing[]> = await addFragment(app, fragment, by, names);
  if (!made.ok) {
    app.notices.info(`${failed} ${errorWords(app, made.error)}`);
    return;
  }
  app.selection.select(made.result);
  if (done !== '') app.notices.info(done);
}

function refused(app: App): boolean {
  const why = app.document.phase.peek() === 'joined' ? whyFixed(app) : 'Open a world first.';
  if (why !== '') app.notices.info(why);
  return why !== '';
}

function hasThings({bodies, colliders}: Selected): boolean {
  return bodies.size + colliders.size > 0;
}

function wordsOf({bodies, colliders, constraints}: Fragment): string {
  return wordsFor({
    particles: 0,
    constraints: constraints.length,
    bodies: bodies.length,
    colliders: colliders.length,
    forces: 0,
    wind: false,
  });
}

// Says whether the system's clipboard has it.
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeByHand(text);
  }
}

// The way of pages without a secure connection: a field whose text is selected, and the command that copies it.
function writeByHand(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('aria-hidden', 'true');
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({preventScroll: true});
  return done;
}

async function readClipboard(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return last;
  }
}
