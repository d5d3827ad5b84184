import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { botReportPath } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useSession } from '../../session/session.ts';
import { type Decision, decisionsOf } from '../../table/bot-log.ts';
import { describeMove } from '../../table/descriptions.ts';
import { useAmounts } from '../../table/preferences.ts';
import { statesOf } from '../../table/replay-state.ts';
import type { Replay } from '../../table/use-replay.ts';

type Props = { replay: Replay; jobId: string; hand: number };

/** Shows beside each decision of the user's own bot its time and what the bot printed; to admins that of the bot whose turn it is. */
export function OwnBotPanel({ replay, jobId, hand }: Props) {
  const { user } = useSession();
  const { game, state } = replay;
  const own = game.players.findIndex(({ name }) => name === user?.username);
  const seat = own < 0 && user?.admin ? (state.action?.seat ?? -1) : own;
  const username = game.players[seat]?.name;
  if (username === undefined) return null;
  return <BotPanel key={seat} {...{ replay, jobId, hand, seat, username }} own={seat === own} />;
}

function BotPanel({
  replay,
  jobId,
  hand,
  seat,
  username,
  own,
}: Props & { seat: number; username: string; own: boolean }) {
  const { game, state, goToAction } = replay;
  const { chips } = useAmounts(game);
  const log = useQuery({
    queryKey: queryKeys.botLog(jobId, username),
    queryFn: ({ signal }) => api.get('/live/job/{id}/log/{username}', { params: { id: jobId, username }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (log.data === undefined) return null;
  const decisions = decisionsOf(game, seat, log.data.log, hand);
  const states = statesOf(game, 'action');
  const now = state.mode === 'action' ? state.step : -1;
  return (
    <section className="replay-panel" aria-label={own ? 'YOUR BOT' : `BOT OF ${username}`}>
      <div className="cluster spread notation-head">
        <h2 className="replay-panel-title">{own ? 'YOUR BOT' : <bdi>BOT OF {username}</bdi>}</h2>
        <Link to={botReportPath(jobId, username)}>Whole report</Link>
      </div>
      {decisions.length === 0 && <p className="muted">It made no decision in this hand.</p>}
      <ol className="notation decision-list">
        {decisions.map((decision) => {
          const move = states[decision.step]?.seats[seat]?.move;
          return (
            <li key={decision.step}>
              <button
                type="button"
                aria-current={decision.step === now ? 'step' : undefined}
                onClick={() => goToAction(decision.step)}
              >
                {move ? describeMove(move, chips) : decision.action.label}
                <span className="mono-number decision-time">{timeText(decision)}</span>
              </button>
              <Output decision={decision} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function timeText({ ms }: Decision): string {
  if (ms === null) return '';
  return ms < 1 ? 'under 1 ms' : `${formatNumber(ms)} ms`;
}

function Output({ decision: { output } }: { decision: Decision }) {
  if (output === '') return <p className="muted">Printed nothing.</p>;
  if (output === null) return <p className="muted">Its output is not kept by decision: see the whole report.</p>;
  return <pre className="decision-output">{output}</pre>;
}
