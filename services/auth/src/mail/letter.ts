import { escapeHtml } from '@husky/runtime/process/html';
import type { Letter, LetterPart } from './mail.ts';

export interface RenderedLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Renders a letter as plain text and as HTML that loads no external resources. */
export function renderLetter({ subject, parts }: Letter): RenderedLetter {
  const text = parts.flatMap(textOf).filter((part) => part !== '');
  const body = parts.flatMap(htmlOf).filter((part) => part !== '');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:560px;margin:24px auto;padding:0 16px">
${body.join('\n')}
</body>
</html>
`;
  return { subject, text: `${text.join('\n\n')}\n`, html };
}

function textOf(part: LetterPart): string[] {
  if ('paragraph' in part) return [part.paragraph];
  if ('list' in part) {
    return [part.list.map(({ text, url }) => (url === undefined ? `- ${text}` : `- ${text}\n  ${url}`)).join('\n')];
  }
  if ('button' in part) return [`${part.button}:\n${part.url}`];
  return ['-- ', [part.footer, ...part.links.map(({ label, url }) => `${label}: ${url}`)].join('\n')];
}

function htmlOf(part: LetterPart): string[] {
  if ('paragraph' in part) return [paragraph(escapeHtml(part.paragraph))];
  if ('list' in part) {
    const items = part.list.map(
      ({ text, url }) => `<li>${url === undefined ? escapeHtml(text) : link(url, text)}</li>`,
    );
    return items.length === 0 ? [] : [`<ul style="margin:0 0 16px;padding-left:20px">\n${items.join('\n')}\n</ul>`];
  }
  if ('button' in part) {
    const button = `<a href="${escapeHtml(part.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f6f4a;color:#fff;text-decoration:none">${escapeHtml(part.button)}</a>`;
    return [paragraph(button), part.showUrl ? paragraph(`Or open this address: ${link(part.url, part.url)}`) : ''];
  }
  const links = part.links.map(({ label, url }) => link(url, label)).join(' · ');
  return [`<p style="margin:24px 0 0;font-size:13px;color:#595959">${escapeHtml(part.footer)} ${links}</p>`];
}

function paragraph(content: string): string {
  return content === '' ? '' : `<p style="margin:0 0 16px">${content}</p>`;
}

function link(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
