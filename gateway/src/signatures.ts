import { createHash, type Hash } from 'node:crypto';
import { withSignature } from '@husky/match/file-signature';
import type { FileKind } from '@husky/match/signed-note';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import type { Context } from './context.ts';

export const signedHead = z
  .string()
  .nullable()
  .describe('head of the chain of commitments as a signed note (docs/fairness.md): keep it. null: there is none');

// An upload does not wait longer for it.
const headTimeoutMs = 3000;

/** Returns the signed head of the chain for the response of an upload; null if there is none now: the upload has succeeded anyway. */
export async function readSignedHead({ simulation, log }: Pick<Context, 'simulation' | 'log'>): Promise<string | null> {
  try {
    return (
      (await simulation.getSignedHead({}, { caller: { kind: 'anonymous' }, timeoutMs: headTimeoutMs })).note || null
    );
  } catch (error) {
    log.warn({ err: error }, 'an upload was answered without a signed head');
    return null;
  }
}

/** Adds the platform's signature to the JSON of the object that ends a file. `hash`: over what precedes it in the file. */
export async function signEnd(
  { simulation }: Pick<Context, 'simulation'>,
  kind: FileKind,
  json: string,
  hash: Hash = createHash('sha256'),
): Promise<string> {
  const sha256 = hash.update(json).digest('hex');
  try {
    return withSignature(json, (await simulation.signFile({ kind, sha256 }, { caller: { kind: 'anonymous' } })).note);
  } catch (error) {
    // A simulation service of the version before has no key.
    if (error instanceof DomainError && error.code === 'UNIMPLEMENTED') return json;
    throw error;
  }
}
