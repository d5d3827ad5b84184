import type { CommitmentDetails } from '@husky/contracts/types/simulation/v1/CommitmentDetails';
import type { CommitmentRecord } from '@husky/contracts/types/simulation/v1/CommitmentRecord';
import type { ListCommitmentsResponse } from '@husky/contracts/types/simulation/v1/ListCommitmentsResponse';
import type { SignedHead } from '@husky/contracts/types/simulation/v1/SignedHead';
import { fileKinds, fileText } from '@husky/match/signed-note';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, SimulationHandlers } from '../context.ts';
import { type ChainRecord, publicInputOf } from '../domain/commitment-chain.ts';
import { auditWriter } from '../store/audit.ts';
import { readChainCheck } from '../store/chain-check.ts';
import {
  listKeys,
  readHead,
  listCommitments as readRecords,
  replaceKey,
  signHead,
  signText,
} from '../store/commitments.ts';
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

export function getSignedHead(context: Context): SimulationHandlers['getSignedHead'] {
  return () => presentHead(context);
}

export function signFile({ pool }: Context): SimulationHandlers['signFile'] {
  return async ({ kind: given, sha256 }) => {
    const kind = fileKinds.find((known) => known === given);
    if (kind === undefined || !/^[0-9a-f]{64}$/.test(sha256)) {
      throw new DomainError('INVALID_ARGUMENT', 'file-invalid', 'A file has a kind and a SHA-256.');
    }
    return { note: await signText(pool, (name) => fileText(name, kind, sha256)) };
  };
}

export function changeSigningKey(context: Context): SimulationHandlers['changeSigningKey'] {
  return async ({ key: before }, { caller: admin }) => {
    await replaceKey(context.pool, before, context.now(), (after) =>
      auditWriter(admin, {
        action: 'signing_key.changed',
        subjectKind: 'signing-key',
        subjectId: after.split('+')[1] ?? '',
        before: { key: before },
        after: { key: after },
      }),
    );
    context.relay.kick();
    return presentHead(context);
  };
}

async function presentHead({ pool }: Context): Promise<SignedHead> {
  const head = await readHead(pool);
  // The keys are read after the note, so that they contain the one that signed it.
  const note = await signHead(pool, head);
  const keys = await listKeys(pool);
  return {
    number: head?.number ?? 0,
    hash: head?.hash ?? '',
    note,
    keys: keys.map(({ key, change, madeAt }) => ({ key, change, madeAt: madeAt.toISOString() })),
  };
}
