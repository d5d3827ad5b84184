import { DomainError } from './errors.ts';

const maxPage = 1_000_000;

export interface Page {
  readonly skip: number;
  readonly take: number;
}

/** Returns the page of a request. Page 0 is the first one, size 0 the default. Throws INVALID_ARGUMENT `page-invalid` beyond the limits. */
export function pageOf(
  request: { readonly page?: number; readonly pageSize: number },
  { most = 1000, normal = Math.min(100, most) }: { readonly most?: number; readonly normal?: number } = {},
): Page {
  const page = request.page || 1;
  const take = request.pageSize || normal;
  if (page < 1 || page > maxPage || take < 1 || take > most) {
    throw new DomainError('INVALID_ARGUMENT', 'page-invalid', `Pages count from 1 and hold 1 to ${most} entries`);
  }
  return { skip: (page - 1) * take, take };
}
