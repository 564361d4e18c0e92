// axe on a page: what stands in somebody's way.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// The rules that look at colours; to all others one theme is as good as another.
const COLOURS = ['color-contrast', 'link-in-text-block'];

// What is serious or critical, in words; in a theme other than the first that a test looks at, of its colours alone.
export async function barriers(page, where, theme = 'light') {
  const results = await page.evaluate(async (rules) => {
    const {violations} = await window.axe.run(document, {
      resultTypes: ['violations'],
      ...(rules && {runOnly: rules}),
    });
    return violations
      .filter(({impact}) => impact === 'serious' || impact === 'critical')
      .flatMap(({id, nodes}) =>
        nodes.map(({html, failureSummary}) => `${id}: ${html.slice(0, 160)}\n${failureSummary}`),
      );
  }, theme === 'light' ? null : COLOURS);
  return results.map((words) => `${where}: ${words}`);
}

// The same of what is open, in the light theme and then in the dark one. The page keeps the theme that it had.
export async function barriersInBoth(page, where) {
  const choose = (theme) =>
    page.evaluate((to) => {
      const {themeChoice} = window.weft.viewState;
      const before = themeChoice.value;
      themeChoice.value = to;
      return before;
    }, theme);
  const before = await choose('light');
  const found = await barriers(page, where);
  await choose('dark');
  found.push(...(await barriers(page, `${where}, in the dark`, 'dark')));
  await choose(before);
  return found;
}

export async function prepared(page) {
  // The policy of the page lets no scripts in but its own; the debugger's are let in.
  await page.evaluate(axe);
}
