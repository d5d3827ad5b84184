// The code of one hash thread. Hashing runs synchronously in this thread, so that the thread's priority applies to hashing only.

import { serveThread } from '@husky/runtime/process/threads';
import { messageOf } from '@husky/runtime/rpc/errors';
import { hashSync, type Options, verifySync } from '@node-rs/argon2';

/** Hashes the password, or with `stored` verifies it. */
export interface HashJob {
  readonly options: Options;
  readonly stored: string | undefined;
  readonly password: string;
}

serveThread<HashJob, string | boolean>(({ options, stored, password }) => {
  try {
    return stored === undefined ? hashSync(password, options) : verifySync(stored, password);
  } catch (error) {
    throw new Error(`A password could not be hashed: ${messageOf(error)}`);
  }
});
