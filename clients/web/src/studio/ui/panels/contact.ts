// What came of bodies that meet, in words: what is well, what had to be held back, and what could not be kept.
import type {Contact} from '../../../lib/index.js';
import type {Contact as Meeting, ContactQuality} from '../../model/values.js';
import {formatCount} from '../forms/numbers.js';
import type {Fact} from './inspector/facts.js';

// Nothing where no body meets any.
export function qualityWords(bodies: Iterable<Meeting>, quality: ContactQuality): string | null {
  const meets = [...bodies].some(
    ({self_contact: itself, contact_group: group, contact_mask: mask}) => itself || (group !== 0 && mask !== 0),
  );
  if (!meets) return null;
  return quality === 'fast' ? 'Fast contact: crossings are possible' : 'Guaranteed: nothing crosses';
}

// Nothing where nothing is near anything.
export function contactFacts(contact: Contact | null): readonly Fact[] {
  if (!contact || contact.pairs + contact.crossed + contact.dropped + contact.pierced === 0) return [];
  const {pairs, pushing, penetration, held, crossed, shrunk, dropped, pierced} = contact;
  return [
    ['Contacts', formatCount(pushing), `Pairs in contact, of ${formatCount(pairs)} pairs that were checked.`],
    ['Penetration', `${(100 * penetration).toFixed(0)} %`, 'Greatest penetration, relative to the contact distance.'],
    ['Slowed down', formatCount(held), 'Particles that were slowed down so that nothing crosses.'],
    [
      'Crossing',
      formatCount(crossed),
      'Edges that passed through triangles at the start of the tick. They have no contact until they are pulled apart, or until the world untangles them.',
      crossed > 0 ? 'danger' : undefined,
    ],
    ...(pierced > 0
      ? [
          [
            'Pierced',
            formatCount(pierced),
            'Triangles, loose edges and loose particles that a collider pierced during the tick, because they could not give way.',
            'danger',
          ] as const,
        ]
      : []),
    ...(shrunk > 0
      ? [
          [
            'Cut short',
            formatCount(shrunk),
            'Number of times that there were too many pairs, so that bodies moved more slowly.',
            'warning',
          ] as const,
        ]
      : []),
    ...(dropped > 0
      ? [
          [
            'Dropped',
            formatCount(dropped),
            'Pairs beyond the limit: these may cross.',
            'danger',
          ] as const,
        ]
      : []),
  ];
}
