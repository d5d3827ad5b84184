import type { ReactNode } from 'react';
import './page.css';

/** Shows a page with a single message, such as not found or access denied. */
export function Notice({ title, code, children }: { title: string; code?: string; children: ReactNode }) {
  return (
    <div className="notice">
      {code && (
        <span className="notice-code" aria-hidden="true">
          {code}
        </span>
      )}
      <div>
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  );
}
