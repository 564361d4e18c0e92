// Work on a mesh: how far it is, and a way to call it off. What is done at once is not worth a word.
import {useEffect, useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {useStudio} from '../context.js';
import type {Progress} from './reading.js';

const AT_ONCE_MS = 300;

// Whether something has gone on for longer than at once.
export function useLong(busy: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = busy ? setTimeout(() => setLong(true), AT_ONCE_MS) : undefined;
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [busy]);
  return busy && long;
}

export function ReadingNote() {
  const reading = useStudio().ui.reading.value;
  const long = useLong(reading !== null);
  if (!reading || !long) return null;
  return (
    <div class="reading panel">
      <ProgressRow of={reading.name} doing={reading.doing} share={reading.share} onCancel={reading.cancel} />
    </div>
  );
}

// What it is doing is told to those who do not see it; each step of it would be too much.
export function ProgressRow(props: Progress & {of: string; cancel?: string; onCancel?: () => void}) {
  const {of, doing, share, cancel = 'Cancel', onCancel} = props;
  return (
    <>
      <span class="grow">
        <span role="status">
          {of}: {doing.toLowerCase()}
        </span>
        <span class="numeric">{share === null ? ' …' : ` ${Math.round(100 * share)} %`}</span>
      </span>
      <progress aria-label={`${doing}: ${of}`} {...(share === null ? {} : {value: share, max: 1})} />
      {onCancel && (
        <Button size="small" onClick={onCancel}>
          {cancel}
        </Button>
      )}
    </>
  );
}
