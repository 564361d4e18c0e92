// Where the world is simulated: what is chosen, and what comes of it.
import {COMPUTED, type Computed, type Simulation} from '../../model/index.js';
import {useStudio, type Studio} from '../context.js';
import {ChoiceField} from '../forms/choice.js';
import {formatCount} from '../forms/numbers.js';
import type {Fact} from './inspector/facts.js';

const NAMES: Readonly<Record<Computed, string>> = {
  automatic: 'Automatic',
  here: 'Simulated here',
  sent: 'Positions',
};

const BEHIND_MS = 500;

function differences({twin}: Simulation): number {
  return twin?.differences ?? 0;
}

// In a few words; it begins with a small letter, for within a sentence too.
function words(simulation: Simulation): string {
  const {state, twin, why} = simulation;
  if (state === 'sent' || twin === null) {
    return why === '' ? 'positions from the server' : `positions from the server: ${why}`;
  }
  if (state === 'trying') {
    if (twin.text !== '' && twin.state !== 'following') return `begins anew: ${twin.text}`;
    return twin.hashes === 0 ? 'fetches the world to simulate it here' : 'sees whether this machine keeps up';
  }
  const behindMs = twin.playing && twin.rate > 0 ? (1000 * twin.behind) / (twin.ticksPerSecond * twin.rate) : 0;
  const late = behindMs > BEHIND_MS ? `, ${(behindMs / 1000).toFixed(1)} s late` : '';
  return `simulated here, hash equal at tick ${formatCount(twin.sameTick)}${late}`;
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

// Beside the tools: only where there is something to be proud of, or to be told.
export function SimulatedBadge() {
  const {app} = useStudio();
  const simulation = app.simulated.simulation.value;
  if (simulation.state !== 'here' && differences(simulation) === 0) return null;
  const text = words(simulation);
  return (
    <div class="colours panel" role="note" aria-label="Where it is simulated">
      {text[0]!.toUpperCase() + text.slice(1)}
      <Differing simulation={simulation} />
    </div>
  );
}

export function SimulatedChoice() {
  const {app} = useStudio();
  const simulation = app.simulated.simulation.value;
  return (
    <ChoiceField
      label="The world is"
      doc="Simulated here, only what decides its future is sent, and this machine computes the rest: a hash says that it came to the same. Else the server sends positions."
      values={COMPUTED}
      names={NAMES}
      value={app.simulated.choice.value}
      onGive={(choice) => (app.simulated.choice.value = choice as Computed)}
      note={
        <>
          Now: {words(simulation)}.
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
    ['Simulated', 'here', 'By this machine, from what decides the future of the world.'],
    ['Hash equal at', `tick ${formatCount(twin.sameTick)}`, 'Where the state was last found equal to the server’s, bit for bit.'],
    [
      'Differences',
      formatCount(twin.differences),
      'Times that it was not, and the twin began anew.',
      twin.differences > 0 ? 'danger' : undefined,
    ],
    ['After the server', `${twin.delayMs.toFixed(0)} ms`, 'So late is what is simulated here, so that it goes on evenly.'],
  ];
}
