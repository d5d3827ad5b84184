import type { RecordFacts } from './commitment.ts';

/** A record of the commitment chain as it was published. */
export interface PublishedRecord extends RecordFacts {
  readonly hash: string;
}

/** What shows that a seed stands in its list. */
export interface SeedProof {
  /** Hashes of the neighbours from the leaf up, hex (RFC 9162, section 2.1.3). */
  readonly path: readonly string[];
  /** Record of the list in the chain, whose commitment is the root. */
  readonly record: PublishedRecord;
}

/** A record as REST and files have it. */
export type RestRecord = Omit<PublishedRecord, 'jobHash'> & { readonly job_hash: string };
export type RestSeedProof = Omit<SeedProof, 'record'> & { readonly record: RestRecord };

export const restRecord = ({ jobHash, ...link }: PublishedRecord): RestRecord => ({ ...link, job_hash: jobHash });

export const publishedRecord = ({ job_hash: jobHash, ...link }: RestRecord): PublishedRecord => ({ ...link, jobHash });

export const restSeedProof = ({ path, record }: SeedProof): RestSeedProof => ({ path, record: restRecord(record) });

export const publishedSeedProof = ({ path, record }: RestSeedProof): SeedProof => ({
  path,
  record: publishedRecord(record),
});
