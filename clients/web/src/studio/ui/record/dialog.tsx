// Exporting: which file, of which ticks. It goes on when the dialog is closed; the page says how far it is.
import {useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';
import {ChoiceField, Segments, Switch} from '../forms/choice.js';
import {NumberField} from '../forms/number.js';
import {counted, formatBytes, formatNumber} from '../forms/numbers.js';
import {secondsText} from '../timeline/words.js';
import {KINDS, numbersOf, planOf, refuse, type Asked, type Kind} from './plan.js';
import {runExport} from './work.js';

// The first offer is the last part of the past.
const SECONDS = 5;

function startOf({app}: ReturnType<typeof useStudio>): Asked {
  const {past, document, replay} = app;
  const {first, last} = past.range.peek();
  const loop = replay.loop.peek();
  const rate = document.settings.peek().tick_rate;
  return {
    kind: 'glb',
    from: past.offered.peek() && last > first ? 'past' : 'now',
    first: loop?.first ?? Math.max(first, last - SECONDS * rate),
    last: loop?.last ?? last,
    seconds: SECONDS,
    every: Math.max(1, Math.round(rate / 30)),
    frameRate: null,
    width: 1920,
    height: 1080,
    transparent: false,
  };
}

export default function ExportDialog({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const {app} = studio;
  const [asked, setAsked] = useState(() => startOf(studio));
  const [unfit, setUnfit] = useState<ReadonlySet<string>>(new Set());
  const {tick_rate: rate} = app.document.settings.value;
  const [range] = useState(() => app.past.range.peek());
  const set = (changes: Partial<Asked>) => setAsked((before) => ({...before, ...changes}));
  const judge = (field: string) => (words: string | undefined) => {
    if (unfit.has(field) === (words !== undefined)) return;
    const next = new Set(unfit);
    if (words === undefined) next.delete(field);
    else next.add(field);
    setUnfit(next);
  };
  const number = (name: string, field: 'first' | 'last' | 'seconds' | 'every' | 'width' | 'height', check: (value: number) => string | undefined, unit?: string, note?: string) => (
    <NumberField
      key={field}
      name={name}
      value={asked[field]}
      scale={null}
      {...(unit && {unit})}
      {...(note && {note})}
      refuse={check}
      onRefused={judge(field)}
      onGive={(value) => set({[field]: value})}
    />
  );
  const {kind, from} = asked;
  const drawn = kind === 'webm' || kind === 'png';
  const plan = planOf(asked, rate, numbersOf(app.document.bodies.value.values()));
  const refusal = typeof plan === 'string' ? plan : '';
  const start = () => {
    if (typeof plan === 'string' || unfit.size > 0) return;
    onClose();
    void runExport(studio, plan);
  };
  return (
    <Dialog
      title="Export"
      width={460}
      onClose={onClose}
      footer={
        <>
          <span class="grow faint numeric" role="status">
            {refusal === '' && typeof plan !== 'string' && words(plan.frames, plan.frameRate, plan.bytes, kind)}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={refusal !== '' || unfit.size > 0} onClick={start}>
            Export
          </Button>
        </>
      }
    >
      <div class="form export-form">
        <ChoiceField
          label="File"
          values={Object.keys(KINDS)}
          names={KINDS}
          value={kind}
          onGive={(value) => set({kind: value as Kind})}
        />
        {kind !== 'png' && app.past.offered.value && range.last > range.first && (
          <Segments
            label="Of"
            values={['past', 'now']}
            names={{past: 'The past', now: 'From now on'}}
            value={from}
            onGive={(value) => set({from: value as Asked['from']})}
          />
        )}
        {kind !== 'png' && from === 'past' && (
          <>
            {number('First tick', 'first', refuse.tick('First tick', range), undefined, secondsText(asked.first, rate))}
            {number('Last tick', 'last', refuse.tick('Last tick', range), undefined, secondsText(asked.last, rate))}
          </>
        )}
        {kind !== 'png' && from === 'now' && number('For', 'seconds', refuse.seconds, 's', playNote(app))}
        {kind !== 'png' && number('One frame every', 'every', refuse.every, 'ticks')}
        {kind !== 'png' && kind !== 'npz' && kind !== 'obj' && kind !== 'pc2' && (
          <NumberField
            name="Frames a second"
            doc="How fast the file plays. Fewer than the world made is slow motion."
            value={asked.frameRate ?? rate / asked.every}
            scale={null}
            refuse={refuse.frameRate}
            onRefused={judge('frameRate')}
            onGive={(value) => set({frameRate: Math.abs(value - rate / asked.every) < 1e-6 ? null : value})}
          />
        )}
        {drawn && number('Width', 'width', refuse.size, 'px')}
        {drawn && number('Height', 'height', refuse.size, 'px')}
        {kind === 'png' && (
          <Switch
            label="Transparent"
            doc="Without the sky and the ground."
            on={asked.transparent}
            onGive={(transparent) => set({transparent})}
          />
        )}
        <p class="faint row-note">{NOTES[kind]}</p>
        {refusal !== '' && (
          <p class="refused" role="alert">
            {refusal}
          </p>
        )}
      </div>
    </Dialog>
  );
}

const MESHES = 'Metres, y up. Bodies that are there at the first and the last tick, as they look, and colliders.';

const NOTES: Readonly<Record<Kind, string>> = {
  glb: `${MESHES} For Blender, three.js and most viewers.`,
  usda: `${MESHES} For usdview, Houdini, Omniverse and Blender.`,
  pc2: `${MESHES} A zip with a cache and a mesh for each thing.`,
  obj: `${MESHES} A zip with a mesh for each frame.`,
  npz: 'Positions of all particles, poses of colliders, and their triangles; metres, y up.',
  webm: 'The picture as the camera sees it now, frame by frame: none is lost on a slow machine.',
  png: 'The picture as the camera sees it now.',
};

function playNote({document}: ReturnType<typeof useStudio>['app']): string | undefined {
  return document.playing.value ? undefined : 'The world is paused: recording begins when it plays.';
}

function words(frames: number, frameRate: number, bytes: number, kind: Kind): string {
  if (kind === 'png') return `about ${formatBytes(bytes)}`;
  const seconds = kind === 'obj' ? '' : `, ${formatNumber(frames / frameRate, 3)} s`;
  return `${counted(frames, 'frame')}${seconds}, about ${formatBytes(bytes)}`;
}

