import type { CommitmentDetails } from '@husky/contracts/types/simulation/v1/CommitmentDetails';
import type { CommitmentRecord } from '@husky/contracts/types/simulation/v1/CommitmentRecord';
import type { ListCommitmentsResponse } from '@husky/contracts/types/simulation/v1/ListCommitmentsResponse';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, SimulationHandlers } from '../context.ts';
import { publicInputOf } from '../domain/commitment.ts';
import type { ChainRecord } from '../domain/commitment-chain.ts';
import { readChainCheck } from '../store/chain-check.ts';
import { readHead, listCommitments as readRecords } from '../store/commitments.ts';
import { signHead } from '../store/signing-keys.ts';
import { blindsOf, type StoredJob } from '../store/stored-job.ts';

/** Lists records and the head of the chain. Reads the head last, so that it is not older than the records. */
export function listCommitments(context: Context): SimulationHandlers['listCommitments'] {
  return async ({ after, limit }): Promise<ListCommitmentsResponse> => {
    const { take } = pageOf({ page: after < 0 ? -1 : 1, pageSize: limit || -1 });
    const records = await readRecords(context.pool, after, take);
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
    record: record && presentRecord({ ...record, seeds: null, madeAt: new Date(record.madeAt) }),
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
  seeds,
}: ChainRecord): CommitmentRecord {
  return { number, kind, jobHash, commitment, time: madeAt.toISOString(), previous, hash, seeds };
}
