// axe on a page: what stands in somebody's way.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// What is serious or critical, in words.
export async function barriers(page, where) {
  const results = await page.evaluate(async () => {
    const {violations} = await window.axe.run(document, {resultTypes: ['violations']});
    return violations
      .filter(({impact}) => impact === 'serious' || impact === 'critical')
      .flatMap(({id, nodes}) =>
        nodes.map(({html, failureSummary}) => `${id}: ${html.slice(0, 160)}\n${failureSummary}`),
      );
  });
  return results.map((words) => `${where}: ${words}`);
}

export async function prepared(page) {
  // The policy of the page lets no scripts in but its own; the debugger's are let in.
  await page.evaluate(axe);
}
