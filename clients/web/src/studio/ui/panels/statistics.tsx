// Numbers on demand: how smooth the picture is, how the connection does, what the server spends.
import {useEffect} from 'preact/hooks';

import {IconButton} from '../controls/button.js';
import {useStudio} from '../context.js';
import {formatBytes, formatCount} from '../forms/numbers.js';
import {tickText} from '../timeline/words.js';
import {contactFacts} from './contact.js';
import {convergenceFacts} from './convergence.js';
import {type Fact, Facts} from './inspector/facts.js';
import {simulatedFacts} from './simulated.js';

export function Statistics({onClose}: {onClose: () => void}) {
  const {app} = useStudio();
  useEffect(() => app.recorder.watch(), [app]);
  useEffect(() => app.convergence.watch(), [app]);
  const {rates} = app.session;
  const view = app.viewState.stats.value;
  const {latencyMs, ...rate} = rates.value;
  const measures = app.recorder.latest.value;
  const ms = (value: number | null | undefined, digits = 1) =>
    value === null || value === undefined ? '–' : `${value.toFixed(digits)} ms`;
  const {past, document} = app;
  const then: readonly Fact[] = past.shown.value
    ? [
        [
          'Shown',
          `the past, ${tickText(document.tick.value, document.settings.value.tick_rate)}`,
          'The figures below about ticks and contact belong to that moment, not to the present.',
          'warning',
        ],
      ]
    : [];
  const simulated = simulatedFacts(app);
  const here = simulated.length > 0;
  const rows: readonly Fact[] = [
    ...then,
    ...simulated,
    ['Frames drawn', `${view.framesPerSecond.toFixed(0)} /s`, 'Pictures per second on this page.'],
    ['Main thread', ms(view.mainMs), 'Time for one picture: messages, interpolation, drawing.'],
    [
      'Behind',
      ms(view.delayMs, 0),
      'Delay of the picture behind the newest state, which keeps motion smooth on an uneven connection.',
    ],
    ['Ticks', `${rate.ticksPerSecond.toFixed(0)} /s`, 'Ticks per second of the world, as they arrive.'],
    ['Tick time', ms(measures ? measures.tick_us / 1000 : null, 2), here ? 'Time that this machine takes for a tick.' : 'Time that the server takes for a tick.'],
    ...contactFacts(app.recorder.contact.value),
    ...convergenceFacts(app.convergence.bodies.value, app.convergence.warnings.value),
    ['Frames received', `${rate.framesPerSecond.toFixed(0)} /s`, here ? 'From the simulation on this page.' : 'From the server.'],
    ['Left out', formatCount(rate.dropped), 'Frames that the server left out because this page was slow.'],
    ['Latency', ms(latencyMs), 'Round-trip time of a ping.'],
    ['Received', `${formatBytes(rate.bytesInPerSecond)}/s`, 'Bytes received from the server.'],
    ['Sent', `${formatBytes(rate.bytesOutPerSecond)}/s`, 'Bytes sent to the server.'],
    ['Particles', formatCount(view.particles), 'Drawn.'],
    ['Triangles', formatCount(view.triangles), 'Drawn.'],
    [
      'Resolution',
      `${Math.round(100 * view.resolution)} %`,
      'Resolution of the picture; lower on a slow machine.',
    ],
  ];
  return (
    <aside class="panel statistics" aria-label="Statistics">
      <header class="panel-head">
        <h2>Statistics</h2>
        <IconButton
          icon="close"
          name="Close statistics"
          hotkey="Y"
          size="small"
          look="muted"
          onClick={onClose}
        />
      </header>
      <div class="figures scrolls" role="group" tabIndex={0} aria-label="Figures">
        <Facts facts={rows} />
      </div>
    </aside>
  );
}
