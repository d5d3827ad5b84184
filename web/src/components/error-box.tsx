import type { ReactNode } from 'react';
import './feedback.css';
import { messageOf } from '../lib/api-error.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Loading } from './loading.tsx';

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

type LoadProps = { what: string; query: { error: unknown; refetch: () => unknown } };

/** Shows why a query has failed, with a button that repeats it. `what`: what was to be loaded, such as 'the profile'. */
export function LoadError({ what, query }: LoadProps) {
  return <ErrorBox text={`Failed to load ${what}. ${messageOf(query.error)}`} onRetry={() => void query.refetch()} />;
}

type StateProps = LoadProps & { query: { isPending: boolean; isError: boolean }; padded?: boolean };

/** Shows that a query loads or has failed. `padded`: keeps the error off the border of a panel without padding. */
export function QueryState({ what, query, padded = false }: StateProps) {
  if (query.isPending) return <Loading inline />;
  if (!query.isError) return null;
  const error = <LoadError what={what} query={query} />;
  return padded ? <div className="panel-body">{error}</div> : error;
}
