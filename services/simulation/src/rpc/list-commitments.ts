import { DomainError } from '@husky/runtime/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { listCommitments as read, readHead } from '../store/commitments.ts';
import { presentRecord } from './present-commitment.ts';

const mostRecords = 1000;

/** Records and the head of the chain; the head is read last, so it is never older than the records. */
export function listCommitments(context: Context): SimulationHandlers['listCommitments'] {
  return async ({ after, limit }) => {
    if (after < 0 || limit < 1 || limit > mostRecords) {
      throw new DomainError('INVALID_ARGUMENT', 'page-invalid', `A page has 1 to ${mostRecords} records.`);
    }
    const records = await read(context.pool, after, limit);
    const head = await readHead(context.pool);
    return { records: records.map(presentRecord), lastNumber: head?.number ?? 0, lastHash: head?.hash ?? '' };
  };
}
