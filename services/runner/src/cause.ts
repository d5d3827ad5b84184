import { messageOf } from '@husky/runtime/rpc/errors';

const noSpaceCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Returns the message of an error for participants. Messages of the system contain paths of this machine, so only their code is kept. */
export function causeOf(error: unknown): string {
  if (!isSystemError(error)) return messageOf(error);
  return noSpaceCodes.includes(error.code) ? 'the runner has no space left' : `the runner failed with ${error.code}`;
}

/** Whether a call to the operating system has failed: the fault of this machine, not of the match. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
