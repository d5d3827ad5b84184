import type { Logger } from '@husky/runtime/process/logger';
import type pg from 'pg';
import type { Mailer } from '../mail/mail.ts';

/** What the notices module knows of a user. */
export interface NoticeUser {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly verified: boolean;
  readonly house: boolean;
  readonly deleted: boolean;
}

/** Everything that the notices module uses of the service that hosts it. */
export interface NoticesHost {
  readonly log: Logger;
  /** A connection to the module's own tables: notices, notice_subjects, notice_queues, notice_preferences, notice_secret. */
  readonly pool: pg.Pool;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Base address of links in mails, without a trailing slash. */
  readonly publicUrl: string;
  /** Looks up users by id, deleted ones included. Unknown ids are absent from the result. */
  usersById(ids: readonly string[]): Promise<ReadonlyMap<string, NoticeUser>>;
  now(): Date;
}
