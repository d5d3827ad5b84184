import { type PublicFacts, publishedRecord, publishedSeedProof } from '@husky/match/commitment';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../components/copy-button.tsx';
import { Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { ownNonce } from '../../lib/bot-files.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { JobResponse } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { VerifyMatch } from './verify-match.tsx';
import './commitment-panel.css';

const SEED_POLL_MS = 30_000;

function Fact({ label, copy, children }: { label: string; copy?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
        {copy !== undefined && <CopyButton text={copy} label={`Copy ${label.toLowerCase()}`} iconOnly />}
      </dd>
    </div>
  );
}

function waitingText(preparing: boolean, failed: boolean): string {
  if (preparing) return 'The commitment to the cards is made once the packages of all bots are known.';
  return failed ? 'The commitment could not be loaded. Please reload the page.' : 'Loading...';
}

function seedText(status: string, loading: boolean): string {
  if (status === 'Failed') return 'Kept secret: the match was not played to its end.';
  if (status === 'Finished' && loading) return 'Loading...';
  if (status === 'Finished') return 'Published when all matches of the deal set are finished.';
  return 'Published when the match is over.';
}

/** Returns what beside the seed the cards depend on. */
export function randomnessText({ seeds, roster, beacon }: Pick<PublicFacts, 'seeds' | 'roster' | 'beacon'>): string {
  if (!seeds) return 'none: that nobody chose the seed is not proven';
  const { size } = new Set(roster.flatMap(({ nonce = [] }) => nonce));
  const nonces = size === 1 ? 'the nonce of 1 upload' : `the nonces of ${size} uploads`;
  return `${nonces}, ${beacon ? `round ${formatNumber(beacon.round)} of the public beacon` : 'no public beacon'}`;
}

/** Shows the proof that the cards were fixed before the first hand: the commitment at once, the seed after the match. */
export function CommitmentPanel({ status }: { status: JobResponse }) {
  const { job_id: jobId, commitment = null } = status;
  const { user } = useSession();
  const finished = status.job_status === 'Finished';
  const made = useQuery({
    // The digest is known once the match is finished.
    queryKey: [...queryKeys.jobCommitment(jobId), finished],
    queryFn: ({ signal }) => api.get('/live/job/{id}/commitment', { params: { id: jobId }, signal }),
    enabled: commitment !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const published = useQuery({
    queryKey: queryKeys.jobSeed(jobId),
    queryFn: ({ signal }) => api.get('/live/job/{id}/seed', { params: { id: jobId }, signal }),
    enabled: finished,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // The other matches of the deal set may still be played.
    refetchInterval: ({ state }) => (state.status === 'error' ? SEED_POLL_MS : false),
  });
  const seed = published.data?.seed;
  const record = made.data?.record ?? null;
  const facts = made.data && (JSON.parse(made.data.public_input) as PublicFacts);
  const digest = made.data?.digest ?? null;
  const seat = status.players?.indexOf(user?.username ?? '') ?? -1;
  const own = facts && seat >= 0 ? ownNonce(facts, seat) : null;
  const command = `python3 verify_match.py ${window.location.origin} ${jobId}`;
  return (
    <Panel title="Fair cards" actions={<Link to="/fairness">How to check this match</Link>}>
      {commitment === null || made.data === undefined ? (
        <p>{waitingText(commitment === null, made.isError)}</p>
      ) : (
        <>
          <dl className="commitment-facts">
            <Fact label="Commitment" copy={commitment}>
              {commitment}
            </Fact>
            <Fact label="Made">
              {record ? (
                <>
                  <time dateTime={record.time} title={record.time}>
                    {formatTime(record.time)}
                  </time>
                  , record {formatNumber(record.number)} of the chain
                </>
              ) : (
                'The match is older than the chain of commitments, so its time is not proven.'
              )}
            </Fact>
            <Fact label="Seed" {...(seed === undefined ? {} : { copy: seed })}>
              {seed ?? seedText(status.job_status, published.isPending)}
            </Fact>
            <Fact label="Rules version">{facts?.rulesVersion}</Fact>
            {status.players?.length !== 2 && (
              <Fact label="Plan" {...(facts?.plan ? { copy: facts.plan.hash } : {})}>
                {facts?.plan
                  ? `match ${formatNumber(facts.plan.game)} of ${facts.plan.hash}`
                  : 'no plan record (made before plans were recorded)'}
              </Fact>
            )}
            {facts && <Fact label="Public randomness">{randomnessText(facts)}</Fact>}
            {own && <Fact label="Your nonce">{own}</Fact>}
            {digest !== null && (
              <Fact label="Digest" copy={digest}>
                {digest}
              </Fact>
            )}
            {seed !== undefined && (
              <Fact label="Check" copy={command}>
                {command}
              </Fact>
            )}
          </dl>
          {seed !== undefined && (
            <VerifyMatch
              proof={{
                jobId,
                commitment,
                publicInput: made.data.public_input,
                seed,
                record: record && publishedRecord(record),
                seedProof: published.data?.seed_proof ? publishedSeedProof(published.data.seed_proof) : null,
              }}
            />
          )}
          <details className="commitment-input">
            <summary>Input of the commitment, without the seed</summary>
            <pre>{JSON.stringify(facts, null, 2)}</pre>
          </details>
        </>
      )}
    </Panel>
  );
}
