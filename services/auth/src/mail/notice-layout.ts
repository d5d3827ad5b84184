import { escapeHtml, type MailText, site } from './templates.ts';

export interface NoticeItem {
  readonly text: string;
  readonly url?: string;
}

export interface NoticeLetter {
  readonly subject: string;
  readonly username: string;
  readonly before: string;
  readonly items: readonly NoticeItem[];
  readonly after: string;
  readonly action: { readonly label: string; readonly url: string };
  /** What the mails of this kind tell of, to go on from "You get a mail". */
  readonly why: string;
  readonly optOutUrl: string;
  readonly accountUrl: string;
}

/** A notice as text and as HTML; neither loads anything from anywhere. */
export function renderNotice(letter: NoticeLetter): MailText {
  return { subject: letter.subject, text: textOf(letter), html: htmlOf(letter) };
}

function textOf({ username, before, items, after, action, why, optOutUrl, accountUrl }: NoticeLetter): string {
  const list = items.map(({ text, url }) => (url === undefined ? `- ${text}` : `- ${text}\n  ${url}`)).join('\n');
  const parts = [`Hello ${username},`, before, list, after, `${action.label}:\n${action.url}`];
  const foot = `You get a mail ${why}.\nNo more of these: ${optOutUrl}\nAll settings: ${accountUrl}`;
  return `${[...parts, site, '-- ', foot].filter((part) => part !== '').join('\n\n')}\n`;
}

function htmlOf(letter: NoticeLetter): string {
  const { subject, username, before, items, after, action, why, optOutUrl, accountUrl } = letter;
  const paragraph = (content: string) => (content === '' ? '' : `<p style="margin:0 0 16px">${content}</p>`);
  const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
  const list = items.map(({ text, url }) => `<li>${url === undefined ? escapeHtml(text) : link(url, text)}</li>`);
  const button = `<a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f6f4a;color:#fff;text-decoration:none">${escapeHtml(action.label)}</a>`;
  const body = [
    paragraph(escapeHtml(`Hello ${username},`)),
    paragraph(escapeHtml(before)),
    list.length === 0 ? '' : `<ul style="margin:0 0 16px;padding-left:20px">\n${list.join('\n')}\n</ul>`,
    paragraph(escapeHtml(after)),
    paragraph(button),
    paragraph(escapeHtml(site)),
    `<p style="margin:24px 0 0;font-size:13px;color:#595959">You get a mail ${escapeHtml(why)}. ${link(optOutUrl, 'No more of these')} · ${link(accountUrl, 'All settings')}</p>`,
  ];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:560px;margin:24px auto;padding:0 16px">
${body.filter((part) => part !== '').join('\n')}
</body>
</html>
`;
}
