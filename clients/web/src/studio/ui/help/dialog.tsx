// Help: what to do first, the keys, the tour again, and where more is written.
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';

// Pages of the folder docs, which comes with weft.
const PAGES: readonly (readonly [title: string, page: string, about: string])[] = [
  ['The studio', 'guides/studio.md', 'everything on this page'],
  ['A world’s past', 'guides/history.md', 'going back, and branches'],
  ['Recordings', 'guides/recordings.md', 'files for Blender, USD, NumPy'],
  ['Materials', 'concepts/materials.md', 'fabrics and what their numbers mean'],
  ['Python', 'guides/python.md', 'worlds from programs'],
  ['All methods', 'reference/methods.md', 'what the server can do'],
];

const FIRST: readonly (readonly [what: string, how: string])[] = [
  ['Nothing moves', 'The world is paused: press play below, or Space.'],
  ['I lost sight of it', 'Press Home, and the camera shows everything.'],
  ['I did something wrong', 'Ctrl+Z takes your last edit back. Reset puts everything back to the start.'],
  ['Numbers are red', 'The server refused the value; the words below it say why. Escape restores the valid one.'],
  ['I want to show it to others', 'Copy a link in this menu. Export makes a file or a video.'],
];

export default function HelpDialog({onClose}: {onClose: () => void}) {
  const {ui} = useStudio();
  return (
    <Dialog
      title="Help"
      width={560}
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <Button icon="keyboard" onClick={() => (ui.dialog.value = 'keys')}>
            Keys
          </Button>
          <Button
            look="primary"
            onClick={() => {
              onClose();
              ui.tour.value = true;
            }}
          >
            Take the tour
          </Button>
        </>
      }
    >
      <dl class="help-list">
        {FIRST.map(([what, how]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
      <h3>To read</h3>
      <p class="row-note faint">
        These pages are in the folder <code>docs</code> of weft’s source.
      </p>
      <dl class="help-list">
        {PAGES.map(([title, page, about]) => (
          <div key={page}>
            <dt>
              {title}: {about}
            </dt>
            <dd>
              <code>{page}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
