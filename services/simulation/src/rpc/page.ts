import { DomainError } from '@husky/runtime/errors';

const standardPageSize = 100;
const largestPageSize = 1000;

/** Page and size of a request; 0 stands for the standard. */
export function pageOf(request: { page: number; pageSize: number }): { page: number; pageSize: number } {
  const page = request.page === 0 ? 1 : request.page;
  const pageSize = request.pageSize === 0 ? standardPageSize : request.pageSize;
  if (page < 1 || page > 1_000_000 || pageSize < 1 || pageSize > largestPageSize) {
    throw new DomainError('INVALID_ARGUMENT', 'page-invalid', `A page has 1 to ${largestPageSize} jobs.`);
  }
  return { page, pageSize };
}
