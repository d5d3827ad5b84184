import { Button } from '../components/button.tsx';
import { EmptyState, ErrorBox, Loading, NewerVersion, Notice, QueryState } from '../components/feedback.tsx';
import { toast } from '../components/toasts.tsx';
import type { Sample } from './control-samples.tsx';

/** What a page says about its state, each in all of its states. */
export const FEEDBACK_SAMPLES: readonly Sample[] = [
  {
    name: 'toasts',
    states: 'Error (12 s), success (5 s), information (7 s); the pointer keeps one',
    content: (
      <div className="cluster">
        {(['error', 'success', 'info'] as const).map((kind) => (
          <Button key={kind} variant="secondary" onClick={() => toast[kind](`A message of kind ${kind}.`)}>
            {kind}
          </Button>
        ))}
      </div>
    ),
  },
  {
    name: 'error-box',
    file: 'feedback',
    states: 'Plain, a query that loads, one that failed',
    content: (
      <>
        <ErrorBox text="Invalid credentials" />
        <QueryState what="games" query={{ isPending: true, isError: false, error: null, refetch: () => undefined }} />
        <QueryState
          what="games"
          query={{
            isPending: false,
            isError: true,
            error: new Error('Please try again later.'),
            refetch: () => undefined,
          }}
        />
      </>
    ),
  },
  {
    name: 'empty-state',
    file: 'feedback',
    states: 'With and without a text',
    content: (
      <>
        <EmptyState title="No jobs" text="Start one." />
        <EmptyState title="No users found" />
      </>
    ),
  },
  {
    name: 'loading',
    file: 'feedback',
    states: 'Inline, with a text, as tall as a page',
    content: (
      <>
        <Loading inline />
        <Loading inline text="Loading games..." />
        <Loading />
      </>
    ),
  },
  {
    name: 'newer-version',
    file: 'feedback',
    states: 'Above a form whose content somebody else has saved',
    content: <NewerVersion by="root" what="settings" onLoad={() => toast.info('Loaded.')} />,
  },
  {
    name: 'notice',
    file: 'feedback',
    states: 'A whole page',
    content: (
      <Notice title="Page not found" code="404">
        <p>There is nothing at this address.</p>
      </Notice>
    ),
  },
];
