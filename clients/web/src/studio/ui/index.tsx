// The panels of the studio. mountUi() puts them on the page; everything they know comes from the model.
import {effect} from '@preact/signals';
import {render} from 'preact';

import type {App} from '../model/app.js';
import {StudioContext, type Studio} from './context.js';
import {errorWords} from './errors.js';
import {resumeAll} from './forms/binding.js';
import {watchOthers} from './notices/others.js';
import {followPicture} from './picture.js';
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
import './styles/record.css';
import './styles/session.css';
import './styles/status.css';

export function mountUi(root: HTMLElement, app: App): Studio {
  app.notices.words = (error) => errorWords(app, error);
  followTheme(app.viewState);
  followPicture(app.viewState);
  followName(app);
  watchOthers(app);
  // What a lost connection kept back goes once the world is read again.
  effect(() => {
    if (app.document.epoch.value > 1 && app.document.readOnly.peek() === '') resumeAll(app.document.name.peek());
  });
  // A question about one world is not one about the next.
  let shown = app.document.name.peek();
  effect(() => {
    const name = app.document.name.value;
    if (name !== shown) app.notices.forget();
    shown = name;
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
