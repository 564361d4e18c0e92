// The words of the timeline.
import {describe, expect, it} from 'vitest';

import type {PastEdit} from '../../src/studio/model/past/edits.js';
import {
  actText,
  branchName,
  clockText,
  lastingText,
  markText,
  refusedText,
  secondsText,
  stopText,
} from '../../src/studio/ui/timeline/words.js';

const edit = (fields: Partial<PastEdit> = {}): PastEdit => ({
  sequence: 1,
  tick: 120,
  revision: 1,
  at: 1000,
  user: 'Ann',
  session: 1,
  method: 'particle.pin',
  things: ['body:1'],
  name: '',
  kind: '',
  undoes: 0,
  redoes: 0,
  gesture: 0,
  ...fields,
});
const act = (fields: Partial<PastEdit> = {}, revisions = [1]) => ({
  first: edit(fields),
  last: edit(fields),
  revisions,
});
const nameOf = (key: string) => (key === 'body:1' ? 'flag' : '');

describe('times', () => {
  it('are said as clocks do, downwards', () => {
    expect([0, 59, 60, 3599, 3600, 216_000].map((tick) => secondsText(tick, 60))).toEqual([
      '0:00.0',
      '0:00.9',
      '0:01.0',
      '0:59.9',
      '1:00.0',
      '60:00.0',
    ]);
    expect(secondsText(3, 10)).toBe('0:00.3');
    expect(secondsText(5, 0)).toBe('0:00.0');
  });

  it('have the day where it is not today', () => {
    const noon = new Date(2026, 4, 3, 12, 0, 0).getTime();
    expect(clockText(noon / 1000, noon + 60_000)).not.toMatch(/May|5/);
    expect(clockText(noon / 1000, noon + 48 * 3_600_000)).toMatch(/3/);
  });

  it('last roughly so long', () => {
    expect([3, 89, 120, 7200, 400_000].map(lastingText)).toEqual(['3 s', '89 s', '2 min', '2 h', '5 days']);
    expect(stopText({tick: 60, seconds: 120}, 60)).toBe('Paused for 2 min or more at 0:01.0, tick 60');
  });
});

describe('deeds', () => {
  it('say who did what to what', () => {
    expect(actText(act(), nameOf)).toBe('pinned particles of flag');
    expect(actText(act({method: 'collider.set', things: []}, [1, 2, 3]), nameOf)).toBe('changed (3 edits)');
    const mark = {share: 0, tick: 120, acts: [act(), act({user: 'Bob'})]};
    expect(markText(mark, nameOf, 60)).toBe('Ann pinned particles of flag, and 1 more nearby; 0:02.0, tick 120');
    expect(markText({...mark, acts: [act({user: ''})]}, nameOf, 60)).toMatch(/^Someone /);
  });

  it('say what did not apply', () => {
    const refusal = (revision: number) => ({revision, method: 'body.set', code: 'NOT_FOUND', text: 'body: no 3'});
    expect(refusedText([])).toBe('');
    expect(refusedText([refusal(1)])).toBe(
      'An edit does not apply in this branch and was left out: a change of a body (Body: no 3).',
    );
    expect(refusedText([1, 2, 3, 4, 5].map(refusal))).toMatch(/^5 edits do not apply .* were left out: .*; and 2 more\.$/);
  });
});

describe('a branch', () => {
  it('is called after where it comes from, once', () => {
    expect(branchName('flag', 90, 60)).toBe('flag at 0:01.5');
    expect(branchName('flag at 0:01.5', 120, 60)).toBe('flag at 0:02.0');
    expect(branchName('flag without 2', 60, 60)).toBe('flag at 0:01.0');
    expect(branchName('flag at 0:01.0 3', null, 60)).toBe('flag without');
  });
});
