// The details of the status: what it means, where the world is simulated, how late the picture is, and the warnings of the
// server with what would help.
import type {App} from '../../model/index.js';
import {useStudio, whyFixed} from '../context.js';
import {errorWords, plainWords} from '../errors.js';
import {formatBytes, formatNumber} from '../forms/numbers.js';
import {partsOf} from '../panels/convergence.js';
import {type Fact, Facts} from '../panels/inspector/facts.js';
import {QualityNote} from '../panels/quality.js';
import {SimulatedNote, simulatedFacts} from '../panels/simulated.js';
import {reachedText, type Status} from './status.js';

// A sentence for those who want to know more, or only hear it.
export function sentenceOf(app: App, {kind}: Status): string {
  const refused = app.session.error.value;
  const why = refused && refused.code !== 'LOST' ? ` ${errorWords(app, refused)}` : '';
  switch (kind) {
    case 'reconnecting':
      return `The connection was lost.${app.client.hello ? ' Reconnecting; you keep hold of what you grabbed, and what you type is sent afterwards.' : ''}${why}`;
    case 'closed':
      return `The connection is closed.${why}`;
    case 'stopped':
      return `The world stopped. ${plainWords(app, app.document.run.value.reason)}`;
    case 'past':
    case 'watching':
      return whyFixed(app);
    case 'fixed':
      return `This world takes no edits now. ${whyFixed(app)}`;
    case 'slow':
      return slowSentence(app);
    case 'late':
      return 'The simulation on this page is behind the server, and catches up.';
    case 'differed':
      return 'The simulation on this page differed from the server, and began again from the state of the server.';
    case 'warning':
      return 'The solver does not keep all of the material. Below is what would help.';
    case 'paused':
      return 'Time stands still in this world. Play goes on.';
    case 'live':
      return 'The world moves, and you see it as it is.';
  }
}

function slowSentence(app: App): string {
  const perSecond = app.frames.narrow.value;
  if (perSecond === null) {
    return 'The world needs more time for a tick than its rate allows. Fewer particles, fewer substeps or a lower rate help.';
  }
  const rate = formatBytes(app.session.rates.value.bytesInPerSecond);
  const slow = app.inPage ? 'this machine' : 'the connection or this machine';
  return (
    `Only ${perSecond} frames a second get through (${rate}/s): ${slow} is too slow for more. ` +
    'The picture is smoothed between them, and later than the world.'
  );
}

function facts(app: App): readonly Fact[] {
  const {session, viewState, document} = app;
  const {latencyMs, bytesInPerSecond} = session.rates.value;
  const reached = session.rate.value;
  const rate = app.commands.rate.value;
  const playing = document.playing.value;
  return [
    ...(playing && reached !== null
      ? [['Speed', `${reachedText(reached)} of ${rate === 0 ? 'max' : `${formatNumber(rate)}×`}`, "Speed of the world's time."] as const]
      : []),
    ['Picture behind', `${viewState.stats.value.delayMs.toFixed(0)} ms`, 'Delay of the picture behind the newest state, for even motion.'],
    ...(app.inPage
      ? []
      : [
          ['Round trip', latencyMs === null ? '–' : `${latencyMs.toFixed(0)} ms`, 'Time to the server and back.'] as const,
          ['Received', `${formatBytes(bytesInPerSecond)}/s`, 'Bytes that come from the server.'] as const,
        ]),
    ...simulatedFacts(app),
  ];
}

export function Details({status}: {status: Status}) {
  const {app} = useStudio();
  const warnings = app.convergence.warnings.value;
  return (
    <>
      <p class="status-sentence">{sentenceOf(app, status)}</p>
      {warnings.length > 0 && (
        <ul class="status-warnings" aria-label="Warnings">
          {warnings.map(({code, text, elements}) => {
            const {wrong, help} = partsOf(text);
            return (
              <li key={`${code} ${elements[0]}`}>
                <p class="warning">{wrong}</p>
                {help && <p class="faint">{help}</p>}
              </li>
            );
          })}
        </ul>
      )}
      {app.document.phase.value === 'joined' && (
        <>
          <div class="menu-line" />
          <SimulatedNote />
          <Facts facts={facts(app)} />
          <p class="status-place">
            <QualityNote />
          </p>
        </>
      )}
    </>
  );
}
