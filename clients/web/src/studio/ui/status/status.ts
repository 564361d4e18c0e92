// The state of the page that matters most now, in a few plain words. What is more serious comes first:
//
//     no connection, a world that stopped, the past, no edits, slow, late, warnings, paused, live
import type {App} from '../../model/index.js';
import {plainWords} from '../errors.js';
import {formatNumber} from '../forms/numbers.js';
import {headOf} from '../panels/convergence.js';

export type StatusKind =
  | 'reconnecting'
  | 'closed'
  | 'stopped'
  | 'past'
  | 'watching'
  | 'fixed'
  | 'slow'
  | 'late'
  | 'differed'
  | 'warning'
  | 'paused'
  | 'live';

export interface Status {
  readonly kind: StatusKind;
  readonly look: 'calm' | 'past' | 'warning' | 'danger';
  // Two or three words.
  readonly text: string;
  // A note that narrow pages leave out; empty if there is none.
  readonly note: string;
}

// Facts that decide the state.
export interface Facts {
  readonly connection: 'connecting' | 'open' | 'lost' | 'closed';
  readonly joined: boolean;
  readonly retryInMs: number | null;
  readonly playing: boolean;
  // Why the world failed; null: it did not.
  readonly failed: string | null;
  readonly past: boolean;
  readonly watching: boolean;
  // Why the world takes no edits; empty: it does.
  readonly fixed: string;
  // Frames a second that get through, if fewer than a third do; else null.
  readonly framesPerSecond: number | null;
  // Whether the worlds are in this page, which has no connection that could be slow.
  readonly inPage: boolean;
  // The rate that was chosen (0: as fast as possible), and the one that the world reaches; null: not known.
  readonly rate: number;
  readonly reached: number | null;
  // Whether a simulation on this page starts again, and how late one is.
  readonly restarts: boolean;
  readonly lateMs: number;
  readonly differences: number;
  readonly warnings: readonly string[];
}

// A simulation on this page that is later than this is behind.
export const LATE_MS = 500;
const NOW_MS = 600;
// A world that is a little late is not called slow.
const SLOW = 0.9;

export function isSlow(rate: number, reached: number | null): reached is number {
  return rate > 0 && reached !== null && reached < SLOW * rate;
}

export function reachedText(rate: number): string {
  return rate > 0 && rate < 0.001 ? '<0.001×' : `${formatNumber(Number(rate.toPrecision(rate < 0.095 ? 1 : 2)))}×`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function retryText(ms: number | null): string {
  return ms === null ? '' : ms < NOW_MS ? 'trying now' : `again in ${Math.ceil(ms / 1000)} s`;
}

// Null if there is no world to say anything of.
export function statusOf(facts: Facts): Status | null {
  const status = (kind: StatusKind, look: Status['look'], text: string, note = ''): Status => ({kind, look, text, note});
  if (facts.connection === 'lost') return status('reconnecting', 'warning', 'Reconnecting', retryText(facts.retryInMs));
  if (facts.connection === 'closed') return status('closed', 'warning', 'Not connected');
  if (!facts.joined || facts.connection !== 'open') return null;
  if (facts.failed !== null) return status('stopped', 'danger', 'Stopped', facts.failed);
  if (facts.past) return status('past', 'past', 'The past');
  if (facts.fixed !== '') return status('fixed', 'warning', 'No edits now', capital(facts.fixed));
  const serious = seriousOf(facts, status);
  if (serious) return serious;
  if (facts.watching) return status('watching', 'past', 'You look on');
  return facts.playing ? status('live', 'calm', 'Live') : status('paused', 'calm', 'Paused');
}

function seriousOf(
  facts: Facts,
  status: (kind: StatusKind, look: Status['look'], text: string, note?: string) => Status,
): Status | null {
  const {framesPerSecond, rate, reached, warnings} = facts;
  if (facts.playing && framesPerSecond !== null) {
    const text = facts.inPage ? 'Slow machine' : 'Slow connection';
    return status('slow', 'warning', text, `${framesPerSecond} frames a second`);
  }
  if (facts.playing && (facts.restarts || facts.lateMs > LATE_MS)) {
    const note = facts.restarts ? '' : `${(facts.lateMs / 1000).toFixed(1)} s behind`;
    return status('late', 'warning', 'Catching up', note);
  }
  if (facts.differences > 0) {
    const times = facts.differences === 1 ? 'once' : `${facts.differences} times`;
    return status('differed', 'danger', 'Differed from the server', times);
  }
  if (facts.playing && isSlow(rate, reached)) {
    return status('slow', 'warning', 'Slow', `${reachedText(reached)} of ${formatNumber(rate)}×`);
  }
  if (warnings.length > 0) {
    const more = warnings.length - 1;
    return status('warning', 'warning', headOf(warnings[0]!), more > 0 ? `and ${more} more` : '');
  }
  return null;
}

// Milliseconds by which a simulation on this page is behind the server; 0 if there is none.
export function lateMsOf({simulated}: App): number {
  const {state, twin} = simulated.simulation.value;
  return state === 'here' && twin?.playing && twin.rate > 0
    ? (1000 * twin.behind) / (twin.ticksPerSecond * twin.rate)
    : 0;
}

export function factsOf(app: App): Facts {
  const {session, document, past} = app;
  const run = document.run.value;
  const {state, twin} = app.simulated.simulation.value;
  const looking = document.looking.value;
  const shown = past.shown.value;
  return {
    connection: session.state.value,
    joined: document.phase.value === 'joined',
    retryInMs: session.retryInMs.value,
    playing: run.state === 'playing',
    failed: run.state === 'failed' ? plainWords(app, run.reason) : null,
    past: shown,
    watching: looking,
    fixed: looking || shown ? '' : document.readOnly.value,
    framesPerSecond: app.frames.narrow.value,
    inPage: app.inPage,
    rate: app.commands.rate.value,
    reached: session.rate.value,
    restarts: state === 'trying' && twin !== null && twin.text !== '' && twin.state !== 'following',
    lateMs: lateMsOf(app),
    differences: twin?.differences ?? 0,
    warnings: app.convergence.warnings.value.map(({text}) => text),
  };
}
