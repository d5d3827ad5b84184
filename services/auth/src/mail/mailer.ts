import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@husky/runtime/logger';
import { createTransport } from 'nodemailer';
import type { AuthConfig } from '../config.ts';
import type { MailText } from './templates.ts';

export interface Mail extends MailText {
  readonly to: string;
  readonly username: string;
  /** What the link does, for the log of the outbox: `verification` or `password reset`. */
  readonly kind: string;
  readonly url: string;
  /** The same mail sent again has the same; without it each gets one of its own. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Over SMTP when it is configured; otherwise into a folder, one .eml file a mail, with the link in the log. */
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
    async send({ to, subject, text, html, messageId, headers = {} }) {
      const own = messageId === undefined ? {} : { messageId };
      const content = { to, subject, text, html, headers: { ...headers }, ...own };
      await transport.sendMail({ ...content, disableFileAccess: true, disableUrlAccess: true });
    },
    close: () => transport.close(),
  };
}

function folderMailer(folder: string, from: string, log: Logger): Mailer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from });
  return {
    async send({ to, subject, text, html, username, kind, url, messageId, headers }) {
      const own = messageId === undefined ? {} : { messageId };
      // The body's encoding may break the link's line; scripts and tests read the header.
      const all = { ...headers, 'X-Link': url };
      const { message } = await transport.sendMail({ to, subject, text, html, headers: all, ...own });
      const stamp = new Date().toISOString().replaceAll(':', '-');
      const path = join(folder, `${stamp}-${username}-${randomBytes(3).toString('hex')}.eml`);
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${path}.part`, path);
      log.info(`${kind} link for ${username}: ${url}`);
    },
    close: () => undefined,
  };
}
