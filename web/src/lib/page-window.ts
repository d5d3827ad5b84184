const WINDOW = 5;

/** Returns the numbers of the page buttons: five around the current one. Pages count from 1. */
export function pageWindow(page: number, totalPages: number, size = WINDOW): number[] {
  if (totalPages < 1) return [];
  const current = Math.min(Math.max(1, page), totalPages);
  const start = Math.max(1, Math.min(current - Math.floor(size / 2), totalPages - size + 1));
  const end = Math.min(totalPages, start + size - 1);
  return Array.from({ length: end - start + 1 }, (_, index) => start + index);
}

/** Returns 'a-b of N' for a page of a list; '0-0 of 0' if it is empty. */
export function rangeText(page: number, pageSize: number, total: number): string {
  if (total === 0) return '0-0 of 0';
  const first = (page - 1) * pageSize + 1;
  return `${first}-${Math.min(total, page * pageSize)} of ${total}`;
}
