import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Panel } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import type { Tournament } from '../../lib/types.ts';
import './tournament.css';

export function Entrants({ tournament: { entrants, state, entry_list: list } }: { tournament: Tournament }) {
  return (
    <Panel title={state === 'open' ? 'Entered so far' : 'Entrants'}>
      <div className="stack">
        <p className="muted">
          {state === 'open'
            ? `${list.length > 0 ? 'By invitation: t' : 'T'}he final submission at the deadline is entered. It can be changed until then.`
            : 'Their final submissions are frozen: nobody was let in, left out or changed afterwards.'}
        </p>
        {entrants.length === 0 ? (
          <p>Nobody yet.</p>
        ) : (
          <ul className="tournament-entrants">
            {entrants.map((name) => (
              <li key={name}>
                <Link to={`/players/${name}`}>{name}</Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

export function HowItWasRun({
  tournament,
  record,
}: {
  tournament: Tournament;
  record: NonNullable<Tournament['record']>;
}) {
  const [isOpen, setOpen] = useState(false);
  const { slug } = tournament;
  const check = useMutation({
    mutationFn: async () => {
      const [text, { keys }, { checkTournament }] = await Promise.all([
        api.read('/tournaments/{slug}/document', (response) => response.text(), { params: { slug } }),
        api.get('/live/signed-head'),
        import('./check-tournament.ts'),
      ]);
      return checkTournament(
        text,
        keys.map(({ key }) => key),
      );
    },
  });
  return (
    <Panel title="How this tournament was run">
      <div className="stack">
        <p>
          The list of entrants, with the hashes of their files and all stages, was written into the{' '}
          <Link to="/fairness">chain of commitments</Link> as record {formatNumber(record.number)} on{' '}
          {formatTime(record.made_at)}, before any card of the tournament was drawn. Its SHA-256 is{' '}
          <code className="tournament-hash">{record.hash}</code>.
        </p>
        <p>
          Level players share a rank. Where only some of them can go on, the stages before decide, then a draw that the
          record fixes: the smallest SHA-256 of the hash above, a colon and the user id.
        </p>
        <div className="cluster">
          <Button variant="primary" disabled={check.isPending} onClick={() => check.mutate()}>
            {check.isPending ? 'Checking...' : 'Check it in this browser'}
          </Button>
          <a className="button button-secondary" href={`/tournaments/${slug}/document`} download>
            Save the document
          </a>
          <Button variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the files' : 'Show the files'}
          </Button>
        </div>
        {check.isError && <ErrorBox text={messageOf(check.error)} />}
        {check.data && (
          <div role="status" className="stack">
            {check.data.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
        )}
        {isOpen && (
          <Table
            caption="Frozen files"
            columns={[
              { label: 'Player', brief: true, cell: ({ username }) => username },
              {
                label: 'SHA-256 of the files',
                cell: ({ bot_hash: hash }) => <code className="tournament-hash">{hash}</code>,
              },
            ]}
            rows={tournament.bots}
            rowKey={({ username }) => username}
            foldedAs={({ username }) => username}
          />
        )}
      </div>
    </Panel>
  );
}
