// Roles and invitations of the world that is open: owners change roles, make links that invite, and take both back.
import {useEffect, useState} from 'preact/hooks';

import {METHODS} from '../../../lib/index.js';
import type {Role} from '../../model/access.js';
import type {Outcome} from '../../model/outcome.js';
import {Button} from '../controls/button.js';
import {Dialog} from '../controls/dialog.js';
import {useStudio} from '../context.js';
import {errorWords} from '../errors.js';
import {Segments} from '../forms/choice.js';
import {inviteText, ROLE_WORDS, ROLES} from './words.js';

const DAY_S = 86400;
const USES = METHODS['access.invite'].params.find(({name}) => name === 'uses');
const USES_MAX = Number(USES?.max ?? 1000);
const EVERYBODY = '*';

export function InviteDialog({onClose}: {onClose: () => void}) {
  const {app} = useStudio();
  const {access} = app;
  const [refusal, setRefusal] = useState('');
  useEffect(() => void access.refresh(), [access]);
  const list = access.list.value;
  const me = app.client.hello?.user ?? '';
  const told = async <T,>(asked: Promise<Outcome<T>>): Promise<T | null> => {
    const done = await asked;
    setRefusal(done.ok ? '' : errorWords(app, done.error));
    return done.ok ? done.result : null;
  };
  return (
    <Dialog title={`Who may do what in ${app.document.name.value}`} width={560} onClose={onClose}>
      <div class="access">
        <h3>People</h3>
        <ul class="access-list" aria-label="Roles">
          {(list?.people ?? []).map(({user, role}) => (
            <li key={user}>
              <span class="grow">
                {user === EVERYBODY ? 'Everybody with a token' : user}
                {user === me && <span class="faint"> (you)</span>}
              </span>
              <select
                class="input"
                aria-label={`Role of ${user}`}
                value={role}
                disabled={user === me}
                onChange={(event) => void told(access.grant(user, event.currentTarget.value as Role))}
              >
                {ROLES.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
              <Button
                size="small"
                look="outlined"
                aria-label={`Remove ${user}`}
                disabled={user === me}
                onClick={() => void told(access.revoke({user}))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
        <h3>Invitations that still work</h3>
        <ul class="access-list" aria-label="Invitations">
          {(list?.invites ?? []).map((invite) => (
            <li key={invite.id}>
              <span class="grow">{inviteText(invite, Date.now() / 1000)}</span>
              <Button
                size="small"
                look="outlined"
                aria-label={`Revoke invitation ${invite.id}`}
                onClick={() => void told(access.revoke({invite: invite.id}))}
              >
                Revoke
              </Button>
            </li>
          ))}
          {list?.invites.length === 0 && <li class="faint">There are none.</li>}
        </ul>
        <NewInvitation told={told} />
        {refusal !== '' && (
          <p class="refused" role="alert">
            {refusal}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function NewInvitation({told}: {told: <T>(asked: Promise<Outcome<T>>) => Promise<T | null>}) {
  const {app} = useStudio();
  const [role, setRole] = useState<Role>('viewer');
  const [uses, setUses] = useState(1);
  const [days, setDays] = useState(7);
  const [link, setLink] = useState('');
  const make = async () => {
    const made = await told(app.access.invite({role, uses, seconds: days * DAY_S}));
    setLink(made ? `${location.origin}${location.pathname}#invite=${made.invite}` : '');
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      app.notices.info('The invitation is copied.');
    } catch {
      app.notices.info('This browser keeps pages from the clipboard: copy the link from its box.');
    }
  };
  return (
    <>
      <h3>New invitation</h3>
      <Segments
        label="As"
        values={ROLES}
        value={role}
        onGive={(value) => {
          setRole(value as Role);
          setLink('');
        }}
      />
      <p class="faint row-note">{ROLE_WORDS[role]}</p>
      <div class="access-line">
        <label>
          Works
          <input
            class="input"
            type="number"
            min={1}
            max={USES_MAX}
            value={uses}
            onInput={(event) => setUses(Number(event.currentTarget.value))}
          />
          times
        </label>
        <label>
          within
          <select class="input" value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            <option value={1}>a day</option>
            <option value={7}>a week</option>
            <option value={30}>30 days</option>
          </select>
        </label>
        <Button look="primary" onClick={() => void make()}>
          Create a link
        </Button>
      </div>
      {link !== '' && (
        <div class="access-line">
          <input
            class="input grow"
            readOnly
            aria-label="Invitation"
            value={link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button look="outlined" onClick={() => void copy()}>
            Copy
          </Button>
        </div>
      )}
    </>
  );
}
