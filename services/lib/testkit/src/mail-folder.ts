import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Mails in the folder that auth writes to without an SMTP server, oldest first; folded headers (RFC 5322, 2.2.3) and
 * soft line ends of the body (RFC 2045, 6.7) are joined. A mail still being written has another ending and is not read.
 */
export function mailsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readable(readFileSync(join(folder, name), 'utf8')));
}

function readable(mail: string): string {
  const end = mail.indexOf('\r\n\r\n');
  const headers = mail.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  return headers + mail.slice(end).replaceAll('=\r\n', '').replaceAll('=3D', '=');
}
