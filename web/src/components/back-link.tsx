import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Shows the link to the parent page above a page's heading. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className="back-link">
      <Link to={to}>
        <span aria-hidden="true">← </span>
        {children}
      </Link>
    </p>
  );
}
