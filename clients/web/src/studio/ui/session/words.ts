// Words about roles and invitations.
import type {AccessInvite} from '../../../lib/index.js';
import type {Role} from '../../model/access.js';

export const ROLES: readonly Role[] = ['viewer', 'editor', 'owner'];

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: 'Can only watch.',
  editor: 'Can edit the world.',
  owner: 'Can edit the world, invite others, and delete it.',
};

const SPANS = [
  [86400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

// "in 6 days", "in 1 hour"; rounded down, so that nobody waits for longer than it lasts.
export function endText(expiresAt: number, now: number): string {
  const left = expiresAt - now;
  if (left <= 0) return 'has ended';
  for (const [seconds, unit] of SPANS) {
    const count = Math.floor(left / seconds);
    if (count >= 1) return `ends in ${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'ends within a minute';
}

export function usesText(uses: number): string {
  return uses === 1 ? 'works once' : `works ${uses} times`;
}

export function inviteText({role, uses, expires_at: expiresAt, user}: AccessInvite, now: number): string {
  const as = `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
  return `${as}, ${usesText(uses)}, ${endText(expiresAt, now)}${user === '' ? '' : `, by ${user}`}`;
}
