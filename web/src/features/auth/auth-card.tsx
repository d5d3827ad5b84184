import type { ReactNode } from 'react';
import '../../components/page.css';
import './auth.css';
import { usePageTitle } from '../../components/page.tsx';

/** Renders the card around the forms of the sign-in pages. */
export function AuthCard({
  title,
  tabTitle,
  lead,
  children,
}: {
  title: string;
  tabTitle: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  usePageTitle(tabTitle);
  return (
    <div className="auth">
      <section className="panel auth-card" aria-labelledby="auth-title">
        <div className="panel-body">
          <span className="auth-art" aria-hidden="true">
            ♠♥♦♣
          </span>
          <div className="stack stack-tight">
            <h1 id="auth-title">{title}</h1>
            {lead && <div className="muted">{lead}</div>}
          </div>
          {children}
        </div>
      </section>
    </div>
  );
}
