// A frame around the picture while this page's camera follows somebody else's, in their colour.
import {Button} from '../controls/button.js';
import {useStudio} from '../context.js';

export function FollowFrame() {
  const {people} = useStudio().app;
  const followed = people.others.value.get(people.following.value);
  if (!followed) return null;
  return (
    <div class="follow-frame" ref={(frame) => frame?.style.setProperty('--other', followed.color)}>
      <div class="follow-note panel" role="status">
        <span>
          Following <b>{followed.name || 'somebody'}</b>
        </span>
        <Button size="small" look="outlined" data-tip="Moving the camera ends it too" data-key="Esc" onClick={() => people.unfollow()}>
          Stop
        </Button>
      </div>
    </div>
  );
}
