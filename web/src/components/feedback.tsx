import { type ReactNode, useDeferredValue } from 'react';
import './page.css';
import './feedback.css';
import { messageOf } from '../lib/api-error.ts';
import { useAppConfig } from '../lib/app-config.ts';
import { formatTime } from '../lib/format.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

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

/** Shows a spinner with a text. */
export function Loading({ text = 'Loading...', inline = false }: { text?: string; inline?: boolean }) {
  return (
    <div className={inline ? 'loading' : 'loading loading-tall'} role="status">
      <span className="spinner" aria-hidden="true" />
      <span>{text}</span>
    </div>
  );
}

type DeferredProps = { children: React.ReactNode; fallback?: React.ReactNode };

/** Renders its children after the rest of the page, in tasks that do not block input; until then the fallback. For parts below the first screen. */
export function Deferred({ children, fallback = null }: DeferredProps) {
  return useDeferredValue(true, false) ? children : fallback;
}

type ErrorProps = { text: string; onRetry?: () => void; retryLabel?: string; children?: ReactNode };

/** Shows an error in the page, read out at once by screen readers. Renders nothing for an empty text. */
export function ErrorBox({ text, onRetry, retryLabel = 'Retry', children }: ErrorProps) {
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

type NewerVersionProps = {
  /** Name of the user who saved the newer version, if known. */
  by?: string | null | undefined;
  /** Plural noun for the content of the form, such as 'settings'. */
  what: string;
  /** Replaces the input with the newer version. */
  onLoad: () => void;
};

/** Above a form: somebody saved a newer version than the one that the form started from. */
export function NewerVersion({ by, what, onLoad }: NewerVersionProps) {
  return (
    <div className="cluster" role="status">
      <span>
        {by ?? 'Somebody else'} saved other {what} in the meantime. Your input is kept.
      </span>
      <Button small variant="ghost" onClick={onLoad}>
        Load saved version
      </Button>
    </div>
  );
}

/** Says why uploads are refused while the event is frozen, and since when. Renders nothing otherwise. */
export function FreezeNote({ id }: { id?: string }) {
  const { frozen, frozen_since: since } = useAppConfig();
  if (!frozen) return null;
  return (
    <p className="freeze-note" id={id}>
      The organisers have frozen the event{since && ` since ${formatTime(since)}`}: uploads, final marks and test runs
      are refused until they end the freeze.
    </p>
  );
}
