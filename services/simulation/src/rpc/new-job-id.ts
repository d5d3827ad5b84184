import { randomBytes } from 'node:crypto';
import { JOB_ID_BYTES, jobIdFrom } from '@husky/match/game-id';

export function newJobId(): string {
  return jobIdFrom(randomBytes(JOB_ID_BYTES));
}
