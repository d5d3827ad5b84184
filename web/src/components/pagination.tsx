import type { ReactNode } from 'react';
import { pageWindow, rangeText } from '../lib/page-window.ts';
import { Button } from './button.tsx';
import './pagination.css';

type Props = { page: number; totalPages: number; onPage: (page: number) => void; label: string };

/** Shows five page buttons around the current page, and First, Previous, Next and Last. Renders nothing for one page. */
export function Pagination({ page, totalPages, onPage, label }: Props) {
  if (totalPages <= 1) return null;
  const jumpButton = (to: number, text: ReactNode, name?: string) => (
    <li>
      <Button
        variant="ghost"
        small
        disabled={to < 1 || to > totalPages || to === page}
        onClick={() => onPage(to)}
        {...(name ? { 'aria-label': name, title: name } : {})}
      >
        {text}
      </Button>
    </li>
  );
  return (
    <nav aria-label={label}>
      <ul className="pagination">
        {jumpButton(1, '«', 'First')}
        {jumpButton(page - 1, 'Previous')}
        {pageWindow(page, totalPages).map((entry) => (
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
        ))}
        {jumpButton(page + 1, 'Next')}
        {jumpButton(totalPages, '»', `Last (${totalPages})`)}
      </ul>
    </nav>
  );
}

type RangeProps = {
  /** Plural noun for the rows, such as 'users'. */
  noun: string;
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
};

/** Shows 'a-b of N' and the page buttons below a list. */
export function PageNumbers({ noun, page, pageSize, total, onPage }: RangeProps) {
  return (
    <div className="panel-body stack">
      <p className="muted" role="status">
        {rangeText(page, pageSize, total)} {noun}
      </p>
      <Pagination
        label={`Pages of ${noun}`}
        page={page}
        totalPages={Math.max(1, Math.ceil(total / pageSize))}
        onPage={onPage}
      />
    </div>
  );
}
