// From files that were dropped or chosen to a mesh that waits to be placed. What is wrong with them is said.
import type {Studio} from '../context.js';

export async function takeFiles({app, ui}: Studio, files: readonly File[]): Promise<void> {
  const {readFiles} = await import('./read.js');
  try {
    ui.mesh.value = await readFiles(files);
    ui.dialog.value = 'import';
  } catch (error) {
    app.notices.info(error instanceof Error ? error.message : String(error));
  }
}

// Whether a drag brings files, rather than text from another page.
export function hasFiles(event: DragEvent): boolean {
  return [...(event.dataTransfer?.types ?? [])].includes('Files');
}
