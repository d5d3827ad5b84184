/**
 * Returns the number of rows of a list of which a page was read: `onPage` rows after the first `skip`. Calls `count` only if the page does not
 * show the end of the list, because it is full, or empty and not the first one.
 */
export function totalOf(
  { skip, onPage, pageSize }: { readonly skip: number; readonly onPage: number; readonly pageSize: number },
  count: () => Promise<number>,
): number | Promise<number> {
  const isLastPage = onPage < pageSize && (onPage > 0 || skip === 0);
  return isLastPage ? skip + onPage : count();
}
