// The panels of the studio. mountUi() puts them on the page; everything they know comes from the model.
import {effect} from '@preact/signals';
import {render} from 'preact';

import type {App} from '../model/app.js';
import {StudioContext, type Studio} from './context.js';
import {resumeAll} from './forms/binding.js';
import {watchOthers} from './notices/others.js';
import {followName} from './session/name.js';
import {UiState} from './state.js';
import {StudioPage} from './studio.js';
import {followTheme} from './theme.js';

import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/forms.css';
import './styles/panels.css';
import './styles/bottom.css';
import './styles/gallery.css';
import './styles/layout.css';
import './styles/timeline.css';
import './styles/session.css';
import './styles/status.css';

export function mountUi(root: HTMLElement, app: App): Studio {
  followTheme(app.viewState);
  followName(app);
  watchOthers(app);
  // What a lost connection kept back goes once the world is read again.
  effect(() => {
    if (app.document.epoch.value > 1 && app.document.readOnly.peek() === '') resumeAll(app.document.name.peek());
  });
  const studio = {app, ui: new UiState()};
  render(
    <StudioContext.Provider value={studio}>
      <StudioPage />
    </StudioContext.Provider>,
    root,
  );
  return studio;
}
