// Worlds in the pages: the studio, embedded, which is loaded when the reader asks for it.
for (const figure of document.querySelectorAll('figure.live')) {
  const place = figure.querySelector('.live-place');
  const waiting = [...place.childNodes];
  const start = place.querySelector('button');
  start.addEventListener('click', () => {
    const dark = document.body.dataset.mdColorScheme === 'slate';
    const frame = document.createElement('iframe');
    frame.src = `${figure.dataset.page}?embedded=${figure.dataset.embedded}&theme=${dark ? 'dark' : 'light'}#world=${figure.dataset.scene}`;
    frame.title = `The world ${figure.dataset.scene}`;
    const end = document.createElement('button');
    end.type = 'button';
    end.className = 'md-button live-end';
    end.textContent = 'End it';
    end.addEventListener('click', () => {
      end.remove();
      place.replaceChildren(...waiting);
      start.focus();
    });
    place.replaceChildren(frame);
    figure.append(end);
    frame.focus();
  });
}
