import { rangeText } from '../lib/page-window.ts';
import { Pagination } from './pagination.tsx';

type Props = {
  /** What the rows are: 'users'. */
  noun: string;
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
};

/** Under a page of a list: 'a-b of N' and the way to the other pages. */
export function PageNumbers({ noun, page, pageSize, total, onPage }: Props) {
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
