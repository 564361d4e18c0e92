// Undo and redo: at the top of a wide page, beside the tools of a narrow one.
import {IconButton} from '../controls/button.js';
import {useStudio} from '../context.js';
import {keyOf} from '../keys/verbs.js';
import {takeBack} from '../undo.js';

export function UndoButtons() {
  const {app} = useStudio();
  const fixed = app.document.readOnly.value !== '';
  return (
    <>
      <IconButton
        icon="undo"
        name="Undo"
        hotkey={keyOf('undo')}
        disabled={fixed}
        onClick={(event) => void takeBack(app, {}, event.currentTarget)}
      />
      <IconButton
        icon="redo"
        name="Redo"
        hotkey={keyOf('redo')}
        disabled={fixed}
        onClick={(event) => void takeBack(app, {redo: true}, event.currentTarget)}
      />
    </>
  );
}
