import { Marked } from 'marked';
import { expect, it } from 'vitest';
import source from '../../../../docs/methodology.md?raw';
import { formulaExtension } from '../../lib/render-markdown.ts';
import { renderMath } from '../../lib/render-math.ts';

it('renders every formula of docs/methodology.md', () => {
  const html = new Marked(formulaExtension(renderMath)).parse(source) as string;
  expect(html.match(/<math/g)?.length).toBeGreaterThan(10);
  expect(html.replaceAll(/<(pre|code)[^>]*>.*?<\/\1>/gs, '')).not.toMatch(/\\[a-z]/);
});
