// The line that a box or lasso selection draws over the picture.

const SVG = 'http://www.w3.org/2000/svg';

export class Marquee {
  private readonly layer: SVGSVGElement;
  private readonly shape: SVGPolygonElement;
  private points: number[] = [];

  constructor(stage: HTMLElement) {
    this.layer = document.createElementNS(SVG, 'svg');
    this.layer.setAttribute('class', 'view-marquee');
    this.layer.setAttribute('aria-hidden', 'true');
    this.shape = document.createElementNS(SVG, 'polygon');
    this.layer.append(this.shape);
    this.hide();
    stage.append(this.layer);
  }

  // Corners as x, y pairs, in pixels of the view.
  get outline(): readonly number[] {
    return this.points;
  }

  // Whether it is more than a click that slipped.
  get wide(): boolean {
    const [x0 = 0, y0 = 0] = this.points;
    const low = [x0, y0];
    const high = [x0, y0];
    this.points.forEach((at, i) => {
      low[i % 2] = Math.min(low[i % 2], at);
      high[i % 2] = Math.max(high[i % 2], at);
    });
    return high[0] - low[0] > 4 || high[1] - low[1] > 4;
  }

  box(x0: number, y0: number, x1: number, y1: number): void {
    this.points = [x0, y0, x1, y0, x1, y1, x0, y1];
    this.draw();
  }

  lasso(x: number, y: number, first: boolean): void {
    if (first) {
      this.points = [];
    }
    const n = this.points.length;
    if (n === 0 || Math.hypot(x - this.points[n - 2], y - this.points[n - 1]) > 2) {
      this.points.push(x, y);
    }
    this.draw();
  }

  hide(): void {
    this.points = [];
    this.layer.setAttribute('visibility', 'hidden');
  }

  dispose(): void {
    this.layer.remove();
  }

  private draw(): void {
    const corners: string[] = [];
    for (let i = 0; i + 1 < this.points.length; i += 2) {
      corners.push(`${this.points[i].toFixed(1)},${this.points[i + 1].toFixed(1)}`);
    }
    this.shape.setAttribute('points', corners.join(' '));
    this.layer.setAttribute('visibility', 'visible');
  }
}
