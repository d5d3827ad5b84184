import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the mails in the folder that auth writes to without an SMTP server, oldest first, decoded by `readableMail`. Skips a mail
 * that is still being written: its file name has another extension.
 */
export function mailsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readableMail(readFileSync(join(folder, name))));
}

/** Returns a mail with its folded headers joined (RFC 5322, 2.2.3) and its quoted-printable body decoded (RFC 2045, 6.7). */
export function readableMail(mail: Buffer): string {
  const text = mail.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const body = text
    .slice(end)
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(headers + body, 'latin1').toString('utf8');
}

/** Returns the path of a mail's link from `begin` on; '' if the link has nothing below `begin`. */
export function linkIn(mail: string, begin: string): string {
  const [, link = ''] = /^X-Link:\s+(\S+)/m.exec(mail) ?? [];
  const at = link.indexOf(begin);
  return at < 0 || at + begin.length === link.length ? '' : link.slice(at);
}
