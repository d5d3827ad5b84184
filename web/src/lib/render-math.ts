import katex from 'katex';

/** Renders a formula in TeX as MathML, which needs no fonts and no inline styles. Throws if the TeX is not valid. */
export function renderMath(tex: string, display: boolean): string {
  const html = katex.renderToString(tex, { output: 'mathml', displayMode: display, strict: false });
  // Without the TeX that KaTeX adds: browsers without MathML elements for it would show it beside the formula.
  return html.replaceAll(/<annotation[^>]*>.*?<\/annotation>/gs, '');
}
