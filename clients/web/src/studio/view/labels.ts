// Words in the picture: how strong a pull is and whose. A few elements over the canvas, moved by transforms.

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly tone: 'own' | 'other' | `axis ${'x' | 'y' | 'z'}`;
}

export class Labels {
  private readonly layer: HTMLElement;
  private readonly elements: HTMLElement[] = [];

  constructor(stage: HTMLElement) {
    this.layer = document.createElement('div');
    this.layer.className = 'view-labels';
    // What it says changes many times a second, and is said in the panels too.
    this.layer.setAttribute('aria-hidden', 'true');
    stage.append(this.layer);
  }

  show(labels: readonly Label[]): void {
    while (this.elements.length < labels.length) {
      const element = document.createElement('span');
      this.layer.append(element);
      this.elements.push(element);
    }
    this.elements.forEach((element, i) => {
      const label = labels[i];
      if (!label) {
        element.hidden = true;
        return;
      }
      element.hidden = false;
      element.className = `view-label ${label.tone}`;
      element.style.transform = `translate(${label.x.toFixed(1)}px, ${label.y.toFixed(1)}px)`;
      if (element.textContent !== label.text) {
        element.textContent = label.text;
      }
    });
  }

  dispose(): void {
    this.layer.remove();
  }
}
