// Sets the equations of the page. Without KaTeX they stay as they are written.
for (const place of document.querySelectorAll('.arithmatex')) {
  const tex = place.textContent.trim().replace(/^\\\[/, '').replace(/\\\]$/, '');
  // A wrong equation must be seen by the test of the pages, and its source by the reader.
  katex.render(tex, place, {displayMode: true, throwOnError: false, output: 'htmlAndMathml'});
}
