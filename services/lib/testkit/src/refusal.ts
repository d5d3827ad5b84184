import { DomainError } from '@husky/runtime/rpc/errors';

/** Returns the refusal of a call as `CODE reason: message`, or OK when the call succeeds. Rethrows errors that are no DomainError. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'OK';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `${error.code} ${error.reason}: ${error.message}`;
  }
}
