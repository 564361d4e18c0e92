// Words about invitations.
import {describe, expect, it} from 'vitest';

import {endText, inviteText} from '../../src/studio/ui/session/words.js';

describe('an invitation', () => {
  it('says until when it works, rounded down', () => {
    const ends = (seconds: number) => endText(1000 + seconds, 1000);
    expect(ends(7 * 86400 - 1)).toBe('ends in 6 days');
    expect(ends(86400)).toBe('ends in 1 day');
    expect(ends(86399)).toBe('ends in 23 hours');
    expect(ends(60)).toBe('ends in 1 minute');
    expect(ends(59)).toBe('ends within a minute');
    expect(ends(0)).toBe('has ended');
  });

  it('says what it gives, how often, and who made it', () => {
    const invite = {id: 3, role: 'editor', uses: 2, user: 'Ada', expires_at: 4600, world: 1} as const;
    expect(inviteText(invite, 1000)).toBe('Editor, works 2 times, ends in 1 hour, by Ada');
    expect(inviteText({...invite, uses: 1, user: ''}, 1000)).toBe('Editor, works once, ends in 1 hour');
  });
});
