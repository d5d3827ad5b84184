import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { deltaClass, formatDelta } from '../lib/format.ts';
import { withRanks } from '../lib/ranks.ts';
import { Badge } from './badge.tsx';
import { Rank } from './rank.tsx';

type Row = {
  id: string;
  username: string;
  score: number;
  tag?: string;
  /** What the score adds up, such as '12 matches'. */
  note?: string;
};

type Props<Entry extends Row> = {
  label: string;
  entries: Entry[];
  /** Rank of the first row. */
  firstRank?: number;
  currentUser: string | null;
  showTag?: boolean;
  actions?: (entry: Entry) => ReactNode;
};

/** Lists entries in order with rank, name, (You) and Delta Money. Equal scores share a rank. */
export function RankedEntries<Entry extends Row>(props: Props<Entry>) {
  const { label, entries, firstRank = 1, currentUser, showTag = false, actions } = props;
  return (
    <ol className="standings" aria-label={label} start={firstRank}>
      {withRanks(entries, ({ score }) => score, firstRank).map((entry) => {
        const { rank } = entry;
        const mine = entry.username === currentUser;
        const classes = ['standing', mine && 'standing-mine', rank === 1 && 'standing-top'].filter(Boolean).join(' ');
        return (
          <li key={entry.id} className={classes} {...(mine ? { 'aria-current': 'true' as const } : {})}>
            <Rank rank={rank} />
            <span className="standing-name">
              <Link to={`/profile/${encodeURIComponent(entry.username)}`}>{entry.username}</Link>
              {mine && <span className="standing-you"> (You)</span>}
            </span>
            {showTag && entry.tag && (
              <span className="standing-tag">
                <Badge color="grey">{entry.tag}</Badge>
              </span>
            )}
            <span className="standing-score">
              <b className={`mono-number ${deltaClass(entry.score)}`}>{formatDelta(entry.score)}</b>
              <small>
                Delta Money
                {entry.note && <span className="standing-note">{entry.note}</span>}
              </small>
            </span>
            {actions && <span className="standing-actions">{actions(entry)}</span>}
          </li>
        );
      })}
    </ol>
  );
}
