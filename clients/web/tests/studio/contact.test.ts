// What the studio says of contact.
import {describe, expect, it} from 'vitest';

import {contactFacts, qualityWords} from '../../src/studio/ui/panels/contact.js';

const WELL = {pairs: 1200, pushing: 40, crossed: 0, held: 2, shrunk: 0, dropped: 0, penetration: 0.123, pierced: 0};

describe('what contact promises', () => {
  const off = {self_contact: false, contact_group: 1, contact_mask: 0, friction: 0.3, friction_kinetic: 1000, restitution: 0, surface: ''};

  it('is said where a body meets any', () => {
    expect(qualityWords([], 'fast')).toBeNull();
    expect(qualityWords([off], 'fast')).toBeNull();
    expect(qualityWords([off, {...off, self_contact: true}], 'fast')).toMatch(/crossings are possible/);
    expect(qualityWords([{...off, contact_mask: 2}], 'guaranteed')).toMatch(/nothing crosses/);
  });
});

describe('what is said of contact', () => {
  it('is nothing where nothing meets', () => {
    expect(contactFacts(null)).toEqual([]);
    expect(contactFacts({...WELL, pairs: 0, pushing: 0, held: 0})).toEqual([]);
  });

  it('is what touches, how deep, and what was held back', () => {
    const facts = contactFacts(WELL);
    expect(facts.map(([name, value]) => [name, value])).toEqual([
      ['Contacts', '40'],
      ['Penetration', '12 %'],
      ['Slowed down', '2'],
      ['Crossing', '0'],
    ]);
    expect(facts.every(([, , , tone]) => tone === undefined)).toBe(true);
  });

  it('warns of what could not be kept, also where no pair is left', () => {
    const facts = contactFacts({...WELL, pairs: 0, crossed: 3, shrunk: 1, dropped: 7, pierced: 5});
    expect(facts.slice(3).map(([name, value, , tone]) => [name, value, tone])).toEqual([
      ['Crossing', '3', 'danger'],
      ['Pierced', '5', 'danger'],
      ['Cut short', '1', 'warning'],
      ['Dropped', '7', 'danger'],
    ]);
  });
});
