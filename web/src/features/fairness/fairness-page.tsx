import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../components/copy-button.tsx';
import { Doc } from '../../components/doc.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';

const load = async () => (await import('../../../../docs/fairness.md?raw')).default;

/** Shows the newest record of the chain, which visitors can save for a later check. */
function ChainHead() {
  const chain = useQuery({
    queryKey: queryKeys.chainHead,
    queryFn: ({ signal }) => api.get('/live/commitments', { query: { limit: 1 }, signal }),
  });
  const { head, signed_head: note, check } = chain.data ?? {};
  const key = useQuery({
    queryKey: queryKeys.signingKeys,
    queryFn: ({ signal }) => api.get('/live/signed-head', { signal }),
  }).data?.keys.at(-1)?.key;
  if (!head) return null;
  const noted = `${head.number}:${head.hash}`;
  return (
    <Panel title="Current head of the chain" actions={<CopyButton text={note ?? noted} label="Copy head" />}>
      <p className="chain-head">{noted}</p>
      {check?.problem && (
        <ErrorBox text={`The chain is broken: ${check.problem} No match gets a commitment until it is restored.`} />
      )}
      {check?.state === 'verified' && (
        <p>
          The platform has checked it up to record {formatNumber(check.verified_number)} ({formatTime(check.checked_at)}
          ).
        </p>
      )}
      <p>Save it: the script can check later that the chain up to this record has not changed.</p>
      {note && key && (
        <>
          <p className="chain-head">{note.trim()}</p>
          <p>
            The head as a signed note. Who keeps two of them that contradict each other can prove that the chain was
            rewritten. The key of this site:
          </p>
          <p className="chain-head">{key}</p>
        </>
      )}
    </Panel>
  );
}

/** Shows how many of the matches that the platform played again were equal. */
function Repetitions() {
  const counts = useQuery({
    queryKey: queryKeys.repetitions,
    queryFn: ({ signal }) => api.get('/live/repetitions', { signal }),
  }).data;
  if (!counts) return null;
  const { equal, different, different_by_limit: byLimit, not_compared: notCompared, pending } = counts;
  return (
    <Panel title="Matches played again">
      <p>
        Each day the platform draws 1 % of the finished matches and plays them again while its runners are idle. Of{' '}
        {formatNumber(equal + different)} compared action by action, {formatNumber(equal)} were equal and{' '}
        {formatNumber(different)} different ({formatNumber(byLimit)} by a limit of time or memory);{' '}
        {formatNumber(notCompared)} could not be compared, {formatNumber(pending)} wait. A difference is no sign of
        cheating: a bot that uses a clock or threads plays differently each time.
      </p>
    </Panel>
  );
}

/** Shows /fairness: docs/fairness.md with the verification script and the head of the chain. */
export function FairnessPage() {
  return (
    <Page
      title="Check that a match was dealt fairly"
      lead="Commitments before the first hand, seeds after the last one, and a script that compares them with the cards."
      actions={
        <a className="button button-primary" href="/verify_match.py" download>
          Download verify_match.py
        </a>
      }
    >
      <ChainHead />
      <Repetitions />
      <Doc name="fairness" load={load} />
    </Page>
  );
}
