// The link to this world and view, where the browser keeps pages from the clipboard.
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';

export function LinkDialog({onClose}: {onClose: () => void}) {
  return (
    <Dialog title="Link to this world and view" width={520} onClose={onClose}>
      <input
        class="input"
        data-first=""
        readOnly
        aria-label="Link"
        value={useStudio().ui.link.value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p class="faint row-note">Copy the link from here.</p>
    </Dialog>
  );
}
