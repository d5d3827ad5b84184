import { DomainError } from '@husky/runtime/errors';

export interface Page {
  readonly skip: number;
  readonly take: number;
}

/** Returns the page of a request: numbers count from 1 (0 means 1), sizes up to `maxSize` (0 means 100). */
export function pageOf(request: { page: number; pageSize: number }, maxSize: number): Page {
  const page = request.page === 0 ? 1 : request.page;
  const take = request.pageSize === 0 ? Math.min(100, maxSize) : request.pageSize;
  if (page < 1 || take < 1 || take > maxSize) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-page', `Pages count from 1 and have 1 to ${maxSize} entries.`);
  }
  return { skip: (page - 1) * take, take };
}
