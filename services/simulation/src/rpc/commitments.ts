import type { CommitmentDetails } from '@husky/contracts/types/simulation/v1/CommitmentDetails';
import type { CommitmentRecord } from '@husky/contracts/types/simulation/v1/CommitmentRecord';
import type { ListCommitmentsResponse } from '@husky/contracts/types/simulation/v1/ListCommitmentsResponse';
import { DomainError } from '@husky/runtime/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { publicInputOf } from '../domain/commitment.ts';
import type { ChainRecord } from '../domain/commitment-chain.ts';
import { readChainCheck } from '../store/chain-check.ts';
import { readHead, listCommitments as readRecords } from '../store/commitments.ts';
import { signHead } from '../store/signing-keys.ts';
import { blindsOf, type StoredJob } from '../store/stored-job.ts';

const maxRecords = 1000;

/** Lists records and the head of the chain. Reads the head last, so that it is not older than the records. */
export function listCommitments(context: Context): SimulationHandlers['listCommitments'] {
  return async ({ after, limit }): Promise<ListCommitmentsResponse> => {
    if (after < 0 || limit < 1 || limit > maxRecords) {
      throw new DomainError('INVALID_ARGUMENT', 'page-invalid', `A page has 1 to ${maxRecords} records.`);
    }
    const records = await readRecords(context.pool, after, limit);
    const head = await readHead(context.pool);
    const check = await readChainCheck(context.pool);
    return {
      records: records.map(presentRecord),
      lastNumber: head?.number ?? 0,
      lastHash: head?.hash ?? '',
      signedHead: await signHead(context.pool, head),
      check: check && {
        verifiedNumber: check.verifiedNumber,
        verifiedAt: check.verifiedAt?.toISOString() ?? '',
        checkedAt: check.checkedAt.toISOString(),
        problem: check.problem,
      },
    };
  };
}

/** Returns the parts of a commitment that are public before the seed; null until the job can be claimed. */
export function presentCommitment(job: StoredJob): CommitmentDetails | null {
  const { commitment, record, digest } = job;
  if (commitment === '') return null;
  return {
    publicInput: publicInputOf({ ...job, blinds: blindsOf(job) }),
    record: record && presentRecord({ ...record, madeAt: new Date(record.madeAt) }),
    digest,
  };
}

export function presentRecord({
  number,
  kind,
  jobHash,
  commitment,
  madeAt,
  previous,
  hash,
}: ChainRecord): CommitmentRecord {
  return { number, kind, jobHash, commitment, time: madeAt.toISOString(), previous, hash };
}
