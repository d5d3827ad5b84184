export type PageEntry = number | 'gap';

const WINDOW = 5;

/** The page buttons to show: 1 … five around the current … last. Pages count from 1. */
export function pageWindow(page: number, totalPages: number, size = WINDOW): PageEntry[] {
  if (totalPages < 1) return [];
  const current = Math.min(Math.max(1, page), totalPages);
  const start = Math.max(1, Math.min(current - Math.floor(size / 2), totalPages - size + 1));
  const end = Math.min(totalPages, start + size - 1);
  const entries: PageEntry[] = [];
  if (start > 1) entries.push(1);
  if (start > 2) entries.push('gap');
  for (let entry = start; entry <= end; entry += 1) entries.push(entry);
  if (end < totalPages - 1) entries.push('gap');
  if (end < totalPages) entries.push(totalPages);
  return entries;
}

/** The words 'a-b of N' for a page of a list; '0-0 of 0' for an empty one. */
export function rangeText(page: number, pageSize: number, total: number): string {
  if (total === 0) return '0-0 of 0';
  const first = (page - 1) * pageSize + 1;
  return `${first}-${Math.min(total, page * pageSize)} of ${total}`;
}
