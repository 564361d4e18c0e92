// The scenes that come with a page whose worlds are its own: a list to choose from, and what is chosen as a world that plays.
import {useState} from 'preact/hooks';

import {Dialog} from '../controls/dialog.js';
import {said, useStudio, type Studio} from '../context.js';
import type {Sample} from './sample.js';
import {openScene} from './scenes.js';

// Whether there is a world of it now.
export async function openSample(studio: Studio, sample: Sample): Promise<boolean> {
  const {app} = studio;
  try {
    return (await openScene(studio, await sample.files())) && (await said(app, app.commands.play(1)));
  } catch (error) {
    app.notices.info(`${sample.name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

export function SamplesDialog({onClose}: {onClose: () => void}) {
  const studio = useStudio();
  const [busy, setBusy] = useState('');
  const open = async (sample: Sample) => {
    setBusy(sample.name);
    if (await openSample(studio, sample)) onClose();
    setBusy('');
  };
  return (
    <Dialog title="Example worlds" width={480} onClose={onClose}>
      <ul class="samples" aria-label="Example worlds">
        {studio.ui.samples.value.map((sample) => (
          <li key={sample.name}>
            <button type="button" class="menu-item" disabled={busy !== ''} onClick={() => void open(sample)}>
              <span class="grow">
                <b>{sample.name}</b>
                <span class="faint">{sample.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
