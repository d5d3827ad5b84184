import DOMPurify from 'dompurify';
import { Marked, type MarkedExtension, type Tokens } from 'marked';

export type Heading = { id: string; text: string };
export type RenderedDoc = { html: string; headings: Heading[]; title: string };

/** Returns the id that GitHub gives a heading, so that links inside a document work here too. A number makes it unique. */
export function headingId(text: string, taken: Set<string>): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  const base = plain.trim().replace(/\s/g, '-') || 'part';
  let id = base;
  for (let number = 1; taken.has(id); number += 1) id = `${base}-${number}`;
  taken.add(id);
  return id;
}

/** Renders a formula in TeX as HTML, in a block of its own if `display` is true. */
export type RenderMath = (tex: string, display: boolean) => string;

/** Returns the extension for formulas in GitHub's syntax: `$...$` within a sentence, code blocks of the language `math`. */
export function formulaExtension(renderMath: RenderMath): MarkedExtension {
  return {
    extensions: [
      {
        name: 'formula',
        level: 'inline',
        start: (text) => text.indexOf('$'),
        tokenizer(text) {
          const [raw, tex] = /^\$(?!\s)((?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)/.exec(text) ?? [];
          return raw === undefined ? undefined : { type: 'formula', raw, text: tex };
        },
        renderer: ({ text }) => renderMath(text, false),
      },
    ],
    renderer: {
      code: ({ lang, text }) =>
        lang === 'math' && `<div class="doc-formula" tabindex="0">${renderMath(text, true)}</div>`,
    },
  };
}

/**
 * Renders Markdown of the repository to sanitised HTML; the first h1 becomes the title, the h2s the table of contents. Formulas stay text
 * without `renderMath`.
 */
export function renderMarkdown(source: string, renderMath?: RenderMath): RenderedDoc {
  const headings: Heading[] = [];
  const taken = new Set<string>();
  let title = '';
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      link({ href, tokens }) {
        // A relative link leads to a file of the repository, which is not on the site.
        return /^(?:[a-z]+:|[/#])/.test(href) ? false : this.parser.parseInline(tokens);
      },
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const text = inner
          .replace(/<[^>]*>/g, '')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&')
          .replaceAll('&quot;', '"');
        if (depth === 1) {
          title = text;
          return '';
        }
        const id = headingId(text, taken);
        if (depth === 2) headings.push({ id, text });
        return `<h${depth} id="${id}">${inner}</h${depth}>`;
      },
    },
  });
  if (renderMath) marked.use(formulaExtension(renderMath));
  const raw = marked.parse(source) as string;
  const framed = raw
    .replaceAll('<table>', '<div class="doc-table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  const focusable = framed.replaceAll('<pre>', '<pre tabindex="0">');
  return { html: DOMPurify.sanitize(focusable, { ADD_ATTR: ['tabindex'] }), headings, title };
}
