// Turning the camera on a picture in which nothing is done: drag to turn, the right button or two fingers to shift, the
// wheel or a pinch to go nearer and farther.
import type {CameraRig} from './camera.js';

const ORBIT_PER_PX = 0.006;

export function watchTurning(element: HTMLElement, rig: CameraRig, changed: () => void): () => void {
  const fingers = new Map<number, {x: number; y: number}>();
  let panning = false;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) : 0;
  };
  const down = (event: PointerEvent) => {
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    panning = event.button !== 0;
    try {
      element.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already cannot be captured.
    }
  };
  const move = (event: PointerEvent) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) {
      return;
    }
    const before = spread();
    const count = fingers.size;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    [finger.x, finger.y] = [event.clientX, event.clientY];
    if (count > 1) {
      rig.zoom(before / spread(), null);
      rig.pan(dx / count, dy / count, element.clientHeight);
    } else if (panning) {
      rig.pan(dx, dy, element.clientHeight);
    } else {
      rig.orbit(dx * ORBIT_PER_PX, dy * ORBIT_PER_PX);
    }
    changed();
  };
  const up = (event: PointerEvent) => void fingers.delete(event.pointerId);
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const by = Math.max(-240, Math.min(240, event.deltaY * lines));
    rig.zoom(Math.exp(by * (event.ctrlKey ? 0.008 : 0.0012)), null);
    changed();
  };
  const menu = (event: Event) => event.preventDefault();
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('lostpointercapture', up);
  element.addEventListener('wheel', wheel, {passive: false});
  element.addEventListener('contextmenu', menu);
  return () => {
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('lostpointercapture', up);
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('contextmenu', menu);
  };
}
