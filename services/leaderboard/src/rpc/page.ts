import { DomainError } from '@husky/runtime/errors';

const maxPageSize = 1000;

/** Returns the rows to skip and to take. Page 0 is the first page, page size 0 the maximum. Throws INVALID_ARGUMENT beyond the limits. */
export function pageOf(request: { readonly page: number; readonly pageSize: number }): { skip: number; take: number } {
  const page = request.page === 0 ? 1 : request.page;
  const take = request.pageSize === 0 ? maxPageSize : request.pageSize;
  if (page < 1 || page > 1_000_000 || take < 1 || take > maxPageSize) {
    throw new DomainError('INVALID_ARGUMENT', 'page-invalid', `A page has 1 to ${maxPageSize} rows`);
  }
  return { skip: (page - 1) * take, take };
}
