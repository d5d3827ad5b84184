import { DomainError } from '@husky/runtime/errors';

export interface Page {
  readonly skip: number;
  readonly take: number;
}

/** A page by its number from 1 (0 counts as 1) and size; the size is bounded by `most`. */
export function pageOf(request: { page: number; pageSize: number }, most: number): Page {
  const page = request.page === 0 ? 1 : request.page;
  const take = request.pageSize === 0 ? Math.min(100, most) : request.pageSize;
  if (page < 1 || take < 1 || take > most) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-page', `Pages count from 1 and have 1 to ${most} entries.`);
  }
  return { skip: (page - 1) * take, take };
}
