import type { SignedHead } from '@husky/contracts/types/simulation/v1/SignedHead';
import { fileKinds, fileText } from '@husky/match/signed-note';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { auditWriter } from '../store/audit.ts';
import { readHead } from '../store/commitments.ts';
import { listKeys, replaceKey, signHead, signText } from '../store/signing-keys.ts';

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
