import type { ReactNode } from 'react';
import './feedback.css';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

type Props = { text: string; onRetry?: () => void; retryLabel?: string; children?: ReactNode };

/** Shows an error in the page, read out at once by screen readers. Renders nothing for an empty text. */
export function ErrorBox({ text, onRetry, retryLabel = 'Retry', children }: Props) {
  if (text === '') return null;
  return (
    <div className="error-box" role="alert">
      <Icon name="alert" />
      <div className="error-box-text">
        <p>{text}</p>
        {children}
      </div>
      {onRetry && (
        <Button variant="ghost" small onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </div>
  );
}
