// The token that this tab shows, and the invitation that it was opened with. Both are the tab's: they end with it, and other
// pages of this browser do not have them.
const TOKEN = 'weft-token';
const INVITE = 'weft-invite';

// A page that may not keep anything has neither after the next load.
function kept(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // As above.
  }
}

export const ownToken = (): string | null => kept(TOKEN);
export const keepToken = (token: string | null): void => keep(TOKEN, token);
export const ownInvite = (): string | null => kept(INVITE);
export const keepInvite = (invite: string | null): void => keep(INVITE, invite);

// An invitation of a link (#invite=…). What is behind # no server sees; and it leaves the address at once, so that it is not
// passed on with that.
export function takeInvite(): void {
  const params = new URLSearchParams(location.hash.replace(/^#/, ''));
  const invite = params.get('invite');
  if (invite === null) return;
  params.delete('invite');
  const rest = params.toString();
  history.replaceState(null, '', rest === '' ? location.pathname + location.search : `#${rest}`);
  keepInvite(invite);
}

// With what has been kept.
export function again(): void {
  location.reload();
}
