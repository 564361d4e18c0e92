// Says what contact promises in this world.
import {useStudio} from '../context.js';
import {qualityWords} from './contact.js';

// Nothing if no bodies meet.
export function QualityNote() {
  const {bodies, settings} = useStudio().app.document;
  const words = qualityWords(bodies.value.values(), settings.value.contact_quality);
  return words ? (
    <span class="faint" role="note" aria-label="Quality of contact">
      {words}
    </span>
  ) : null;
}
