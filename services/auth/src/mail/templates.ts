export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Letter {
  readonly subject: string;
  readonly greeting: string;
  readonly before: string;
  readonly action: string;
  readonly url: string;
  readonly after: string;
}

export const site = "Husky Hold'em";

export function verificationMail(username: string, url: string, hours: number): MailText {
  return render({
    subject: `Verify your ${site} account`,
    greeting: `Hello ${username},`,
    before: 'please confirm that this e-mail address is yours. Then you can upload bots and play matches.',
    action: 'Verify my account',
    url,
    after: `The link works once, for ${hours} hours. If you did not register, ignore this mail.`,
  });
}

export function passwordResetMail(username: string, url: string, hours: number): MailText {
  return render({
    subject: `Choose a new ${site} password`,
    greeting: `Hello ${username},`,
    before: 'somebody, hopefully you, asked for a new password for your account.',
    action: 'Choose a new password',
    url,
    after: `The link works once, for ${hours === 1 ? 'one hour' : `${hours} hours`}. If you did not ask, ignore this mail: your password stays as it is.`,
  });
}

export function emailChangeMail(username: string, url: string, hours: number): MailText {
  return render({
    subject: `Confirm your new ${site} address`,
    greeting: `Hello ${username},`,
    before:
      'please confirm that this e-mail address is yours. From then on your account has it in place of the old one.',
    action: 'Use this address',
    url,
    after: `The link works once, for ${hours} hours. If you did not ask, ignore this mail: nothing changes.`,
  });
}

export function emailChangeNotice(username: string, url: string): MailText {
  return render({
    subject: `Your ${site} address is to change`,
    greeting: `Hello ${username},`,
    before: 'somebody who gave your password asked for another e-mail address for your account.',
    action: 'Look at my account',
    url,
    after: 'If it was you, there is nothing to do. If not, change your password now: that stops the change.',
  });
}

export function addressInUseMail(url: string): MailText {
  return render({
    subject: `Your ${site} account`,
    greeting: 'Hello,',
    before: 'somebody asked to use this e-mail address for an account, but you have an account with it already.',
    action: 'Choose a new password',
    url,
    after: 'If it was you, use that account. If not, ignore this mail: nothing changes.',
  });
}

function render(letter: Letter): MailText {
  const { subject, greeting, before, action, url, after } = letter;
  const text = [greeting, before, `${action}:\n${url}`, after, site].join('\n\n');
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`;
  const button = `<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f6f4a;color:#fff;text-decoration:none">${escapeHtml(action)}</a>`;
  const body = [
    paragraph(escapeHtml(greeting)),
    paragraph(escapeHtml(before)),
    paragraph(button),
    paragraph(`Or open this address: <a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`),
    paragraph(escapeHtml(after)),
    paragraph(escapeHtml(site)),
  ].join('\n');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:560px;margin:24px auto;padding:0 16px">
${body}
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
