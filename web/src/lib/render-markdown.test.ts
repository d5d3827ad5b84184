import { Marked } from 'marked';
import { expect, it } from 'vitest';
import source from '../../../docs/methodology.md?raw';
import { formulaExtension, headingId } from './render-markdown.ts';
import { renderMath } from './render-math.ts';

it('gives every heading a unique id', () => {
  const taken = new Set<string>();
  expect(['The rules', 'The `rules`!', '???', 'requirements.txt'].map((text) => headingId(text, taken))).toEqual([
    'the-rules',
    'the-rules-1',
    'part',
    'requirementstxt',
  ]);
});

it('renders formulas as MathML, and leaves amounts of dollars alone', () => {
  const marked = new Marked(formulaExtension(renderMath));
  const html = marked.parse('With $a_i < b$ chips of $5 and $10:\n\n```math\n\\sum_k \\hat e_k\n```\n') as string;
  expect(html).toContain('<msub><mi>a</mi><mi>i</mi></msub><mo>&lt;</mo><mi>b</mi>');
  expect(html).toContain('chips of $5 and $10:');
  expect(html).toMatch(/<div class="doc-formula" tabindex="0"><span class="katex"><math[^>]* display="block"/);
  expect(html).not.toContain('annotation');
  expect(() => renderMath('\\left(', true)).toThrow();
});

it('renders every formula of docs/methodology.md', () => {
  const html = new Marked(formulaExtension(renderMath)).parse(source) as string;
  expect(html.match(/<math/g)?.length).toBeGreaterThan(10);
  expect(html.replaceAll(/<(pre|code)[^>]*>.*?<\/\1>/gs, '')).not.toMatch(/\\[a-z]/);
});
