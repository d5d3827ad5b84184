import { DomainError } from '@husky/runtime/errors';
import type { Context, SubmissionHandlers } from '../context.ts';
import { archiveParts } from '../store/archives.ts';

export function fetchPackages(context: Context): SubmissionHandlers['fetchPackages'] {
  return async function* (request) {
    let found = false;
    for await (const data of archiveParts(context.prisma, request.packagesHash)) {
      found = true;
      yield { data: Buffer.from(data) };
    }
    if (!found) throw new DomainError('NOT_FOUND', 'packages-not-found', 'These packages are not stored');
  };
}
