import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@husky/runtime/process/logger';
import { createAdmission } from '@husky/runtime/rpc/admission';
import { createTransport } from 'nodemailer';
import type { AuthConfig } from '../config.ts';
import { renderLetter } from './account-mails.ts';
import type { Mail, Mailer } from './mail.ts';

const maxConnections = 2;
const maxWaiting = 1000;
// A mail of a link is in vain when it arrives much later.
const maxWaitMs = 60_000;

/** Sends over SMTP when it is configured; otherwise writes one .eml file per mail into a folder and logs the link. */
export function createMailer(settings: AuthConfig['mail'], log: Logger): Mailer {
  return settings.smtpUrl === undefined
    ? folderMailer(settings.outboxFolder, settings.from, log)
    : smtpMailer(settings.smtpUrl, settings.from);
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, pool: true, maxConnections, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 },
    { from },
  );
  // The pool's own queue would let one address that registers many accounts delay the mails of all others.
  const connections = createAdmission({
    limit: () => maxConnections,
    share: { account: 1 / 2, address: 1 / 2 },
    maxWaiting,
    maxWaitMs,
  });
  return {
    async send(mail) {
      const message = { ...messageFrom(mail), disableFileAccess: true, disableUrlAccess: true };
      await connections.run('mails', () => transport.sendMail(message));
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
