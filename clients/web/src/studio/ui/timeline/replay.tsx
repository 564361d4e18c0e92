// Playing the past: play, speed, backwards, and what is repeated.
import {SPEEDS} from '../../model/past/replay.js';
import {IconButton} from '../controls/button.js';
import {Toolbar} from '../controls/roving.js';
import {useStudio} from '../context.js';
import {keyOf} from '../keys/verbs.js';

export function ReplayTools() {
  const {app, ui} = useStudio();
  const {replay} = app;
  const playing = replay.playing.value;
  const loop = replay.loop.value;
  return (
    <>
      <select
        class="input line-speed"
        aria-label="Speed of the past"
        data-tip="Speed of the past"
        value={String(replay.speed.value)}
        onChange={(event) => (replay.speed.value = Number(event.currentTarget.value))}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={String(speed)}>
            {speed}×
          </option>
        ))}
      </select>
      <Toolbar class="line-replay" label="Play the past">
        <IconButton
          icon={playing ? 'pause' : 'play'}
          name={playing ? 'Pause the past' : 'Play the past'}
          hotkey={keyOf('play')}
          size="small"
          onClick={() => replay.toggle()}
        />
        <IconButton
          icon="reset"
          name="Backwards"
          hotkey={keyOf('replay-back')}
          size="small"
          look="muted"
          aria-pressed={replay.backwards.value}
          onClick={() => (replay.backwards.value = !replay.backwards.peek())}
        />
        {!ui.narrow.value && (
          <>
            <IconButton
              icon="loopfrom"
              name="Repeat from here"
              hotkey={keyOf('loop-first')}
              size="small"
              look="muted"
              aria-pressed={loop !== null}
              onClick={() => replay.mark('first')}
            />
            <IconButton
              icon="loopto"
              name="Repeat up to here"
              hotkey={keyOf('loop-last')}
              size="small"
              look="muted"
              aria-pressed={loop !== null}
              onClick={() => replay.mark('last')}
            />
          </>
        )}
        {loop && (
          <IconButton icon="close" name="Repeat no more" size="small" look="muted" onClick={() => replay.unmark()} />
        )}
      </Toolbar>
    </>
  );
}
