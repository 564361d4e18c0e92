// The sheet of keys.
import {Dialog} from '../controls/dialog.js';
import {shownKey, VERBS, type Verb} from './verbs.js';

const GROUPS: readonly Verb['group'][] = ['Time', 'Tools', 'Selection', 'Camera', 'Page'];

export function KeySheet({onClose}: {onClose: () => void}) {
  return (
    <Dialog title="Keys" width={720} still onClose={onClose}>
      <div class="key-groups">
        {GROUPS.map((group) => (
          <section key={group} class="key-group">
            <h3>{group}</h3>
            <dl>
              {VERBS.filter((verb) => verb.group === group).map((verb) => (
                <div key={verb.id} class="key-row">
                  <dt>{verb.name}</dt>
                  <dd>
                    <kbd>{shownKey(verb)}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section class="key-group">
          <h3>Pointer</h3>
          <dl>
            {POINTER.map(([name, how]) => (
              <div key={name} class="key-row">
                <dt>{name}</dt>
                <dd>{how}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

const POINTER: readonly (readonly [string, string])[] = [
  ['Pull', 'drag a body'],
  ['Turn', 'drag beside it, or one finger'],
  ['Shift the view', 'right button, or two fingers'],
  ['Nearer, farther', 'wheel, or pinch'],
  ['Into view', 'double click'],
  ['Finer, coarser', 'Alt or Shift with a number'],
];
