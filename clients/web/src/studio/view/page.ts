// What the browser tells the picture: its size, whether anybody looks, Escape, a graphics card that is lost.

interface Told {
  resize(): void;
  // The page was hidden, or shown again.
  visible(hidden: boolean): void;
  // Whether there was something to end.
  escape(): boolean;
  // The graphics card was lost, or came back.
  card(there: boolean): void;
}

export function watchPage(stage: HTMLElement, canvas: HTMLElement, told: Told): () => void {
  const resized = new ResizeObserver(() => told.resize());
  resized.observe(stage);
  const visible = () => told.visible(document.hidden);
  const escape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && told.escape()) {
      event.stopPropagation();
    }
  };
  const lost = (event: Event) => {
    // Else it would not come back.
    event.preventDefault();
    told.card(false);
  };
  const restored = () => told.card(true);
  document.addEventListener('visibilitychange', visible);
  window.addEventListener('keydown', escape, true);
  canvas.addEventListener('webglcontextlost', lost);
  canvas.addEventListener('webglcontextrestored', restored);
  return () => {
    resized.disconnect();
    document.removeEventListener('visibilitychange', visible);
    window.removeEventListener('keydown', escape, true);
    canvas.removeEventListener('webglcontextlost', lost);
    canvas.removeEventListener('webglcontextrestored', restored);
  };
}
