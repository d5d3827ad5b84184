import { DomainError } from '@husky/runtime/errors';

/** The refusal of a call, as `CODE reason: message`; OK when it succeeds. What fails otherwise is thrown on. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'OK';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `${error.code} ${error.reason}: ${error.message}`;
  }
}
