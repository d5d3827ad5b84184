import { pageWindow } from '../lib/page-window.ts';
import { Button } from './button.tsx';
import './pagination.css';

type Props = { page: number; totalPages: number; onPage: (page: number) => void; label: string };

/** Pages 1 … a window of five … last, with Previous and Next; nothing for a single page. */
export function Pagination({ page, totalPages, onPage, label }: Props) {
  if (totalPages <= 1) return null;
  return (
    <nav aria-label={label}>
      <ul className="pagination">
        <li>
          <Button variant="ghost" small disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
        </li>
        {pageWindow(page, totalPages).map((entry, index, all) =>
          entry === 'gap' ? (
            <li key={`gap-after-${all[index - 1]}`} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={entry}>
              <Button
                variant="ghost"
                small
                aria-label={`Page ${entry}`}
                {...(entry === page ? { 'aria-current': 'page' as const } : {})}
                onClick={() => onPage(entry)}
              >
                {entry}
              </Button>
            </li>
          ),
        )}
        <li>
          <Button variant="ghost" small disabled={page >= totalPages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </li>
      </ul>
    </nav>
  );
}
