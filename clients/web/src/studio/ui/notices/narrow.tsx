// A word where most frames do not get through: what is seen between them is drawn, not simulated.
import {useState} from 'preact/hooks';

import {IconButton} from '../controls/button.js';
import {Icon} from '../controls/icons.js';
import {useStudio} from '../context.js';
import {formatBytes} from '../forms/numbers.js';

export function Narrow() {
  const {app} = useStudio();
  const [unwanted, setUnwanted] = useState(false);
  const perSecond = app.frames.narrow.value;
  if (perSecond === null || unwanted || app.session.state.value !== 'open' || !app.document.playing.value)
    return null;
  const {bytesInPerSecond} = app.session.rates.value;
  return (
    <div class="strip warning" role="status">
      <Icon name="warning" />
      <span class="grow">
        Only {perSecond} frames a second get through ({formatBytes(bytesInPerSecond)}/s):{' '}
        {app.inPage ? 'this machine' : 'the connection or this machine'} is too slow for more. The picture is smoothed between them, and later than the world.
      </span>
      <IconButton icon="close" name="Do not show this again" size="small" look="muted" onClick={() => setUnwanted(true)} />
    </div>
  );
}
