// Worlds to files and back.
import type {Studio} from '../context.js';
import {errorWords} from '../errors.js';
import {freeName} from '../names.js';
import {shownAside} from '../files/shown.js';
import {save} from '../save.js';

// Of text; what is beside it may be larger.
const SCENE_BYTES_MAX = 256 * 1024 * 1024;

// The world that is open, as a file of the browser.
export async function saveScene({app, ui}: Studio): Promise<void> {
  const saved = await app.commands.call('world.save', {});
  if (!saved.ok) {
    app.notices.error(saved.error);
    return;
  }
  const {document} = saved.result;
  // A view of the past has no name of its own.
  const name = saved.result.name || app.document.name.peek();
  const file = `${name || 'world'}.json`;
  try {
    const text = await shownAside(ui, file, 'write', {name, document: {...document}});
    if (!text) return;
    save(file, text);
    app.unsaved.saved(saved.result.world, saved.result.revision);
  } catch (error) {
    app.notices.info(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// Asks for files, of which one is a scene.
export function chooseScene(studio: Studio): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = '.json,.npy,.obj';
  input.addEventListener('change', () => void openScene(studio, [...(input.files ?? [])]));
  input.click();
}

export function isScene(file: File): boolean {
  return /\.json$/i.test(file.name);
}

// The first scene among the files, as a new world; the others may be what it refers to. What is wrong with it is said.
// Whether there is one.
export async function openScene({app, ui}: Studio, files: readonly File[]): Promise<boolean> {
  const file = files.find(isScene);
  if (!file) {
    if (files.length > 0) app.notices.info('A scene is a .json file.');
    return false;
  }
  try {
    if (file.size > SCENE_BYTES_MAX)
      throw new Error('larger than 256 MiB; large arrays belong in .npy files beside it');
    const beside = files.filter((other) => other !== file);
    const scene = await shownAside(ui, file.name, 'scene', {scene: file, beside});
    if (!scene) return false;
    ui.reading.value = {name: file.name, doing: 'Opening', share: null};
    await app.worlds.refresh();
    const name = freeName(
      scene.name,
      app.worlds.list.peek().map((world) => world.name),
    );
    const opened = await app.worlds.openScene(name, scene.document);
    if (!opened.ok) throw new Error(errorWords(app, opened.error));
    ui.dialog.value = null;
    await app.open(opened.result.name);
    app.view?.focus('all');
    return true;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    app.notices.info(words.startsWith(file.name) ? words : `${file.name}: ${words}`);
    return false;
  } finally {
    if (ui.reading.peek()?.cancel === undefined) ui.reading.value = null;
  }
}
