import type { CommitmentDetails } from '@husky/contracts/types/simulation/v1/CommitmentDetails';
import type { CommitmentRecord } from '@husky/contracts/types/simulation/v1/CommitmentRecord';
import type { ChainRecord } from '../domain/commitment-chain.ts';
import { publicInputOf } from '../domain/promise.ts';
import { blindsOf, type StoredJob } from '../store/jobs.ts';

export function presentRecord(record: ChainRecord): CommitmentRecord {
  const { number, jobHash, commitment, madeAt, previous, hash } = record;
  return { number, jobHash, commitment, time: madeAt.toISOString(), previous, hash };
}

/** What can be checked of a match before its seed is published; null until the job can be claimed. */
export function presentCommitment(job: StoredJob): CommitmentDetails | null {
  const { commitment, record } = job;
  if (commitment === '') return null;
  return {
    publicInput: publicInputOf({ ...job, blinds: blindsOf(job) }),
    record: record && presentRecord({ ...record, number: Number(record.number) }),
  };
}
