// The picture on its place in the page. Without WebGL there is none: the panels say why, and everything else works.
import type {App} from '../model/app.js';
import type {CameraPose} from '../model/viewstate.js';
import type {Meter} from './meter.js';
import {Stage} from './stage.js';
import './view.css';

export {Meter} from './meter.js';
export {Stage} from './stage.js';

const FAILURE =
  'This browser cannot draw in three dimensions (WebGL 2 is off or missing). Worlds can still be run and edited in the panels.';

export function mountView(stage: HTMLElement, app: App, meter: Meter, pose: CameraPose | null): Stage | null {
  try {
    const view = new Stage(app, stage, meter, pose);
    app.view = view;
    return view;
  } catch (error) {
    console.warn('no picture:', error instanceof Error ? error.message : error);
    app.viewState.failure.value = FAILURE;
    return null;
  }
}
