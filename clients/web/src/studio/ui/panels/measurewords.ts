// The names of measures.
import {leafOf} from '../../model/groups.js';
import type {Anchor, Measure} from '../../model/measures.js';
import type {Studio} from '../context.js';
import {prettyName} from '../forms/units.js';
import {bodyName, colliderName} from '../names.js';

type App = Studio['app'];

export function bodyWord(app: App, id: number): string {
  const body = app.document.bodies.value.get(id);
  return body ? leafOf(bodyName(body)) : `body ${id}`;
}

// 'sheet #3 – #4 – ball'
export function anchorsWords(app: App, anchors: readonly Anchor[]): string {
  const word = (anchor: Anchor, i: number) => {
    const before = anchors[i - 1];
    if (anchor.kind === 'particle') {
      const again = before?.kind === 'particle' && before.body === anchor.body;
      return `${again ? '' : `${bodyWord(app, anchor.body)} `}#${anchor.particle}`;
    }
    const collider = app.document.colliders.value.get(anchor.collider);
    return collider ? leafOf(colliderName(collider)) : `collider ${anchor.collider}`;
  };
  return anchors.map(word).join(' – ');
}

export function measureName(app: App, measure: Measure): string {
  switch (measure.kind) {
    case 'distance':
    case 'angle':
      return `${prettyName(measure.kind)} ${anchorsWords(app, measure.anchors)}`;
    case 'force':
      return `Force of ${prettyName(measure.type).toLowerCase()} ${measure.constraint}`;
    case 'pin':
      return `Force of the pin ${bodyWord(app, measure.body)} #${measure.particle}`;
    default:
      return `${prettyName(measure.kind)} of ${bodyWord(app, measure.body)}`;
  }
}
