import { type ReactNode, useEffect, useId } from 'react';
import './page.css';
import { Link } from 'react-router';

const SITE = "Husky Hold'em Bench";

/** Sets the tab's title: '<title> · Husky Hold'em Bench'. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? SITE : `${title} · ${SITE}`;
  }, [title]);
}

type PageProps = {
  title: ReactNode;
  /** The tab's title, if it differs from the heading. */
  tabTitle?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  width?: 'wide' | 'narrow' | 'reading' | 'table';
  before?: ReactNode;
  children: ReactNode;
};

/** Renders a page with its one h1, and sets the tab's title. `before` is shown above the heading (back links). */
export function Page({ title, tabTitle, lead, actions, width, before, children }: PageProps) {
  usePageTitle(tabTitle ?? (typeof title === 'string' ? title : ''));
  return (
    <div className={width ? `page page-${width}` : 'page'}>
      {before}
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <div className="page-head-lead">{lead}</div>}
        </div>
        {actions && <div className="cluster">{actions}</div>}
      </div>
      <div className="page-body">{children}</div>
    </div>
  );
}

type PanelProps = { title?: ReactNode; actions?: ReactNode; flush?: boolean; id?: string; children: ReactNode };

/** Renders a titled section (h2). `flush` lets a table touch the borders. */
export function Panel({ title, actions, flush, id, children }: PanelProps) {
  const headingId = useId();
  return (
    <section className="panel" id={id} {...(title ? { 'aria-labelledby': headingId } : {})}>
      {(title || actions) && (
        <div className="panel-head">
          {title && <h2 id={headingId}>{title}</h2>}
          {actions && <div className="cluster">{actions}</div>}
        </div>
      )}
      <div className={flush ? 'panel-body panel-flush' : 'panel-body'}>{children}</div>
    </section>
  );
}

export type Stat = {
  label: string;
  value: ReactNode;
  text?: boolean;
  /** A sentence that says what the number means. */
  note?: string;
};

/** Shows a row of counters as a description list. */
export function Stats({ items }: { items: Stat[] }) {
  return (
    <dl className="stat-grid">
      {items.map((item) => (
        <div key={item.label} className={item.text ? 'stat stat-text' : 'stat'}>
          <dt>{item.label}</dt>
          <dd className="mono-number">{item.value}</dd>
          {item.note && <dd className="stat-note">{item.note}</dd>}
        </div>
      ))}
    </dl>
  );
}

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
