// The gallery of worlds that come with the page, each with a picture that moves while one looks at it. A choice makes the world,
// opens it and plays it.
import {useEffect, useRef, useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {Icon} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {openSample, readSamples} from './list.js';
import type {Sample} from './sample.js';

import '../styles/samples.css';

export function SamplesDialog({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const {ui} = studio;
  const [busy, setBusy] = useState('');
  const [missing, setMissing] = useState('');
  const read = () => {
    setMissing('');
    readSamples(ui).catch((error: Error) => setMissing(error.message));
  };
  useEffect(read, [ui]);
  const open = async (sample: Sample) => {
    setBusy(sample.name);
    if (await openSample(studio, sample)) onClose();
    setBusy('');
  };
  return (
    <Dialog title="Example worlds" width={860} onClose={onClose}>
      <p class="samples-about">A choice makes a world of its own, opens it and plays it.</p>
      <ul class="samples" aria-label="Example worlds">
        {ui.samples.value.map((sample) => (
          <li key={sample.name}>
            <SampleCard sample={sample} busy={busy} onOpen={() => void open(sample)} />
          </li>
        ))}
      </ul>
      {missing !== '' && (
        <p role="alert">
          The examples could not be loaded ({missing}).{' '}
          <Button size="small" look="outlined" onClick={read}>
            Try again
          </Button>
        </p>
      )}
    </Dialog>
  );
}

function SampleCard({sample, busy, onOpen}: {sample: Sample; busy: string; onOpen: () => void}) {
  const button = useRef<HTMLButtonElement>(null);
  const [near, setNear] = useState(false);
  const [looked, setLooked] = useState(false);
  const touch = matchMedia('(hover: none)').matches;
  // Pictures are loaded when they come into view. Where nothing hovers they also move while they are in the middle of it.
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const {intersectionRatio: ratio, isIntersecting} of entries) {
          if (isIntersecting) setNear(true);
          if (touch) setLooked(ratio > 0.9);
        }
      },
      {threshold: [0, 0.5, 0.95]},
    );
    if (button.current) watcher.observe(button.current);
    return () => watcher.disconnect();
  }, [touch]);
  const moves = looked && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  const {pictures} = sample;
  return (
    <button
      ref={button}
      type="button"
      class="sample"
      disabled={busy !== ''}
      aria-busy={busy === sample.name}
      onPointerEnter={() => !touch && setLooked(true)}
      onPointerLeave={() => !touch && setLooked(false)}
      onFocus={() => setLooked(true)}
      onBlur={() => setLooked(false)}
      onClick={onOpen}
    >
      <span class="sample-picture">
        {!pictures && <Icon name="world" />}
        {pictures && near && <img src={pictures.still} alt="" width={320} height={200} />}
        {pictures && near && moves && <img class="moving" src={pictures.moving} alt="" width={320} height={200} />}
      </span>
      <b>{sample.name}</b>
      <span class="muted">{busy === sample.name ? 'Opening…' : sample.about}</span>
    </button>
  );
}
