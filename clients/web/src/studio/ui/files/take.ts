// From files that were dropped or chosen to a mesh that waits to be placed, or to a world. What is wrong with them is
// said.
import type {Studio} from '../context.js';
import {isScene, openScene} from '../scenes/scenes.js';
import {shownAside} from './shown.js';

export function takeFiles(studio: Studio, files: readonly File[]): void {
  void (files.some(isScene) ? openScene(studio, files) : takeMesh(studio, files));
}

async function takeMesh({app, ui}: Studio, files: readonly File[]): Promise<void> {
  try {
    const mesh = await shownAside(ui, files[0]?.name ?? '', 'read', files);
    if (!mesh) return;
    ui.mesh.value = mesh;
    ui.dialog.value = 'import';
  } catch (error) {
    app.notices.info(error instanceof Error ? error.message : String(error));
  }
}

// Whether a drag brings files, rather than text from another page.
export function hasFiles(event: DragEvent): boolean {
  return [...(event.dataTransfer?.types ?? [])].includes('Files');
}
