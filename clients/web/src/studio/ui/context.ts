// What every panel can reach: the model, and the state of the panels.
import {createContext} from 'preact';
import {useContext} from 'preact/hooks';

import type {App} from '../model/app.js';
import type {Outcome} from '../model/outcome.js';
import {plainWords} from './errors.js';
import type {UiState} from './state.js';

export interface Studio {
  readonly app: App;
  readonly ui: UiState;
}

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('a panel stands outside of the studio');
  return studio;
}

// Why nothing can be changed now, as a sentence; empty where all can be.
export function whyFixed({document}: App): string {
  if (document.viewOf.value !== 0) return 'You see the past. It cannot be changed.';
  return plainWords(null, document.readOnly.value);
}

// Shows a refusal near where it was asked for. Says whether it went well.
export async function said(
  app: App,
  asked: Promise<Outcome<unknown>>,
  near?: Element | null,
): Promise<boolean> {
  const done = await asked;
  if (done.ok) return true;
  const box = near?.isConnected ? near.getBoundingClientRect() : undefined;
  app.notices.error(done.error, box ? {x: box.left + box.width / 2, y: box.top} : null);
  return false;
}
