// Gestures: what a person does from one press to the next one. The edits of a gesture are one step of undo, such as the
// fifteen of a slider that is dragged.
//
//     press ── drag, edit, edit, edit ── release │ key ── edit │ a field says what was typed │ …
//              one step                            another       what follows is another again
//
// A name is told apart by the server for each connection, so a count is enough.

// Wheel events that come sooner after one another are one turn of the wheel.
const WHEEL_MS = 500;

export class Gestures {
  private count = 0;
  private wheeled = -Infinity;

  // Names the gesture of the next edits. Empty before the first press: then each edit is a step by itself.
  get name(): string {
    return this.count > 0 ? `g${this.count}` : '';
  }

  begin(): void {
    this.count++;
  }

  // Watches a page; returns what ends that.
  watch(page: EventTarget): () => void {
    const pressed = () => this.begin();
    const key = (event: Event) => {
      if (!(event as KeyboardEvent).repeat) this.begin();
    };
    const wheel = ({timeStamp}: Event) => {
      if (timeStamp - this.wheeled > WHEEL_MS) this.begin();
      this.wheeled = timeStamp;
    };
    page.addEventListener('pointerdown', pressed, {capture: true});
    page.addEventListener('keydown', key, {capture: true});
    page.addEventListener('wheel', wheel, {capture: true, passive: true});
    return () => {
      page.removeEventListener('pointerdown', pressed, {capture: true});
      page.removeEventListener('keydown', key, {capture: true});
      page.removeEventListener('wheel', wheel, {capture: true});
    };
  }
}
