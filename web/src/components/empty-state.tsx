import type { ReactNode } from 'react';
import './feedback.css';

/** Replaces an empty list. */
export function EmptyState({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <span className="empty-art" aria-hidden="true">
        ♠♥♦♣
      </span>
      <p className="empty-title">{title}</p>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}
