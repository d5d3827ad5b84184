import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@husky/runtime/logger';
import { createTransport } from 'nodemailer';
import type { AuthConfig } from '../config.ts';
import { renderLetter } from './letter.ts';
import type { Mail, Mailer } from './mail.ts';

/** Sends over SMTP when it is configured; otherwise writes one .eml file per mail into a folder and logs the link. */
export function createMailer(settings: AuthConfig['mail'], log: Logger): Mailer {
  return settings.smtpUrl === undefined
    ? folderMailer(settings.outboxFolder, settings.from, log)
    : smtpMailer(settings.smtpUrl, settings.from);
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, pool: true, maxConnections: 2, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 },
    { from },
  );
  return {
    async send(mail) {
      await transport.sendMail({ ...messageFrom(mail), disableFileAccess: true, disableUrlAccess: true });
    },
    close: () => transport.close(),
  };
}

function folderMailer(folder: string, from: string, log: Logger): Mailer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from });
  return {
    async send(mail) {
      const { username, kind, url } = mail;
      // The body's encoding may break the link's line; scripts and tests read the header.
      const headers = { ...mail.headers, 'X-Link': url };
      const { message } = await transport.sendMail(messageFrom({ ...mail, headers }));
      const stamp = new Date().toISOString().replaceAll(':', '-');
      const path = join(folder, `${stamp}-${username}-${randomBytes(3).toString('hex')}.eml`);
      // Readers of the folder must never see half a mail.
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${path}.part`, path);
      log.info(`${kind} link for ${username}: ${url}`);
    },
    close: () => undefined,
  };
}

function messageFrom({ to, messageId, headers, ...letter }: Mail) {
  return { to, ...renderLetter(letter), headers: { ...headers }, ...(messageId === undefined ? {} : { messageId }) };
}
