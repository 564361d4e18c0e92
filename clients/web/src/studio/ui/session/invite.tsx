// Inviting: a link into this world, for owners.
import {useState} from 'preact/hooks';

import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';
import {errorWords} from '../errors.js';
import {outcome} from '../../model/outcome.js';
import {Segments} from '../forms/choice.js';

export function InviteDialog({onClose}: {onClose: () => void}) {
  const {app} = useStudio();
  const [role, setRole] = useState<'viewer' | 'editor' | 'owner'>('viewer');
  const [link, setLink] = useState('');
  const [refusal, setRefusal] = useState('');
  const make = async () => {
    const world = app.document.home.peek();
    const made = await outcome(app.client.call('access.invite', {world, role}));
    if (made.ok) {
      setLink(`${location.origin}${location.pathname}#invite=${made.result.invite}`);
      setRefusal('');
    } else {
      setRefusal(errorWords(app, made.error));
    }
  };
  const choose = (value: string) => {
    setRole(value as typeof role);
    setLink('');
  };
  return (
    <Dialog
      title={`Invite to ${app.document.name.value}`}
      width={520}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={() => void make()}>
          Create a link
        </Button>
      }
    >
      <Segments label="As" values={['viewer', 'editor', 'owner']} value={role} onGive={choose} />
      <p class="faint row-note">
        {role === 'viewer'
          ? 'Can only watch.'
          : role === 'editor'
            ? 'Can edit the world as you do.'
            : 'Can edit the world, invite others, and delete it.'}{' '}
        The link works once, within a week.
      </p>
      {link !== '' && (
        <input
          class="input"
          readOnly
          aria-label="Invitation"
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {refusal !== '' && <p role="alert">{refusal}</p>}
    </Dialog>
  );
}
