// Where the world is simulated: what is chosen, and what comes of it; and how positions are sent where it is not here.
import {COMPUTED, type Computed, type Simulation} from '../../model/index.js';
import {useStudio, type Studio} from '../context.js';
import {ChoiceField} from '../forms/choice.js';
import {formatBytes, formatCount, formatNumber} from '../forms/numbers.js';
import {LATE_MS, lateMsOf} from '../status/status.js';
import type {Fact} from './inspector/facts.js';

const NAMES: Readonly<Record<Computed, string>> = {
  automatic: 'Automatic',
  here: 'Simulated here',
  sent: 'Positions',
};

function differences({twin}: Simulation): number {
  return twin?.differences ?? 0;
}

// "within 0.1 mm, 36 KB/s": what is sent of positions, and all that comes.
function sentWords({frames, document, session}: Studio['app']): string {
  const sent = frames.sent.value;
  const {why} = sent;
  const rounded = sent.encoding === 'delta' ? `within ${formatNumber(1000 * sent.tolerance, 3)} mm` : 'exact';
  const playing = document.run.value.state === 'playing';
  const rate = playing ? `, ${formatBytes(session.rates.value.bytesInPerSecond)}/s` : '';
  return `${rounded}${rate}${why === '' ? '' : `, not compressed (${why})`}`;
}

// In a few words; it begins with a small letter, for within a sentence too.
function words(app: Studio['app']): string {
  const simulation = app.simulated.simulation.value;
  const {state, twin, why} = simulation;
  if (state === 'sent' || twin === null) {
    return `positions from the server, ${sentWords(app)}${why === '' ? '' : `: ${why}`}`;
  }
  if (state === 'trying') {
    if (twin.text !== '' && twin.state !== 'following') return `starts again: ${twin.text}`;
    return twin.hashes === 0 ? 'loads the world to simulate it here' : 'checks whether this machine is fast enough';
  }
  const behindMs = lateMsOf(app);
  const late = behindMs > LATE_MS ? `, ${(behindMs / 1000).toFixed(1)} s late` : '';
  const ahead = twin.ahead > 0 ? `; pulled bodies are predicted ${formatCount(twin.ahead)} ticks ahead` : '';
  return `simulated here, hash equal at tick ${formatCount(twin.sameTick)}${late}${ahead}`;
}

function Differing({simulation}: {simulation: Simulation}) {
  const count = differences(simulation);
  if (count === 0) return null;
  return (
    <span class="danger">
      {' '}
      It differed {count === 1 ? 'once' : `${formatCount(count)} times`}: {simulation.twin?.text}
    </span>
  );
}

// The place of the simulation in a sentence, for the details of the status.
export function SimulatedNote() {
  const {app} = useStudio();
  const text = app.inPage ? 'the world is in this page, which computes its motion' : words(app);
  return (
    <p class="status-place" role="note" aria-label="Place of the simulation">
      {text[0]!.toUpperCase() + text.slice(1)}
      <Differing simulation={app.simulated.simulation.value} />
    </p>
  );
}

export function SimulatedChoice() {
  const {app} = useStudio();
  const simulation = app.simulated.simulation.value;
  return (
    <ChoiceField
      label="The world is"
      doc="If it is simulated here, the server sends only the edits, and this machine computes the motion; a hash confirms that it is equal. Else the server sends positions."
      values={COMPUTED}
      names={NAMES}
      value={app.simulated.choice.value}
      onGive={(choice) => (app.simulated.choice.value = choice as Computed)}
      note={
        <>
          Now: {words(app)}.
          <Differing simulation={simulation} />
        </>
      }
    />
  );
}

// For the statistics; none where positions are sent.
export function simulatedFacts(app: Studio['app']): Fact[] {
  const {state, twin} = app.simulated.simulation.value;
  if (state !== 'here' || twin === null) return [];
  return [
    ['Simulated', 'here', 'Ticks computed by this machine from the edits that the server sends.'],
    ['Hash equal at', `tick ${formatCount(twin.sameTick)}`, 'The last tick at which the state was equal to the server’s, bit for bit.'],
    [
      'Differences',
      formatCount(twin.differences),
      'Number of times that it was not equal, and started again.',
      twin.differences > 0 ? 'danger' : undefined,
    ],
    ['After the server', `${twin.delayMs.toFixed(0)} ms`, 'Delay of the simulation here, for even motion.'],
  ];
}
