// Keys of the camera: W A S D fly, Q and E go down and up, arrows turn, F looks at what is selected. They work unless
// a field, a list or a button has the focus, and leave everything with Ctrl to others.
import type {CameraRig} from './camera.js';

const FLY: Readonly<Record<string, readonly [number, number, number]>> = {
  KeyW: [0, 0, 1],
  KeyS: [0, 0, -1],
  KeyA: [-1, 0, 0],
  KeyD: [1, 0, 0],
  KeyQ: [0, -1, 0],
  KeyE: [0, 1, 0],
};
const TURN: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class CameraKeys {
  private readonly down = new Set<string>();
  private readonly offs: (() => void)[] = [];

  constructor(
    private readonly rig: CameraRig,
    private readonly canvas: HTMLElement,
    private readonly focus: () => void,
    private readonly changed: () => void,
  ) {
    const keydown = (event: KeyboardEvent) => this.onDown(event);
    const keyup = (event: KeyboardEvent) => this.release(event.code);
    const blur = () => this.releaseAll();
    // The frame that shows the focus is for those who came by keyboard.
    let pressed = false;
    const down = () => {
      pressed = true;
      canvas.parentElement?.classList.remove('keyboard');
    };
    const up = () => {
      pressed = false;
    };
    const focused = () => {
      canvas.parentElement?.classList.toggle('keyboard', !pressed);
    };
    window.addEventListener('pointerdown', down, true);
    window.addEventListener('pointerup', up, true);
    canvas.addEventListener('focus', focused);
    window.addEventListener('keydown', keydown);
    window.addEventListener('keyup', keyup);
    window.addEventListener('blur', blur);
    this.offs.push(
      () => window.removeEventListener('keydown', keydown),
      () => window.removeEventListener('keyup', keyup),
      () => window.removeEventListener('blur', blur),
      () => window.removeEventListener('pointerdown', down, true),
      () => window.removeEventListener('pointerup', up, true),
      () => canvas.removeEventListener('focus', focused),
    );
  }

  dispose(): void {
    this.offs.forEach((off) => off());
  }

  private get mine(): boolean {
    const {activeElement} = document;
    return activeElement === null || activeElement === document.body || activeElement === this.canvas;
  }

  private onDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !this.mine) {
      return;
    }
    const {code} = event;
    if (code in FLY || code in TURN) {
      this.down.add(code);
      this.steer();
      event.preventDefault();
    } else if (code === 'KeyF' && !event.shiftKey) {
      this.focus();
      event.preventDefault();
    } else {
      return;
    }
    this.changed();
  }

  private release(code: string): void {
    if (this.down.delete(code)) {
      this.steer();
    }
  }

  private releaseAll(): void {
    this.down.clear();
    this.steer();
  }

  private steer(): void {
    const {fly, turn} = this.rig;
    fly.set(0, 0, 0);
    turn.yaw = 0;
    turn.pitch = 0;
    for (const code of this.down) {
      const [x, y, z] = FLY[code] ?? [0, 0, 0];
      fly.set(fly.x + x, fly.y + y, fly.z + z);
      const [yaw, pitch] = TURN[code] ?? [0, 0];
      turn.yaw += yaw;
      turn.pitch += pitch;
    }
  }
}
