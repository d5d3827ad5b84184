import { rankOf } from '@husky/match/ranks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { deltaClass, formatDelta } from '../lib/format.ts';
import { Badge } from './badge.tsx';
import { Icon } from './icon.tsx';
import { Name } from './name.tsx';
import './rank.css';

type Row = {
  id: string;
  username: string;
  score: number;
  /** Among all entries, of other pages too; without it, among these. */
  rank?: number;
  tag?: string;
  /** What the score adds up, such as '12 matches'. */
  note?: string;
};

type Props<Entry extends Row> = {
  label: string;
  entries: Entry[];
  currentUser: string | null;
  showTag?: boolean;
  actions?: (entry: Entry) => ReactNode;
};

/** Lists entries in order with rank, name, (You) and Delta Money. Equal scores share a rank. */
export function RankedEntries<Entry extends Row>(props: Props<Entry>) {
  const { label, entries, currentUser, showTag = false, actions } = props;
  const scores = entries.map(({ score }) => score);
  return (
    <ol className="standings" aria-label={label}>
      {entries.map((entry) => {
        const rank = entry.rank ?? rankOf(entry.score, scores);
        const mine = entry.username === currentUser;
        const classes = ['standing', mine && 'standing-mine', rank === 1 && 'standing-top'].filter(Boolean).join(' ');
        return (
          <li key={entry.id} className={classes} {...(mine ? { 'aria-current': 'true' as const } : {})}>
            <Rank rank={rank} />
            <span className="standing-name">
              <Link to={`/profile/${encodeURIComponent(entry.username)}`}>
                <Name name={entry.username} />
              </Link>
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

/** Shows a crown for the first rank, trophies for the second and third, '#n' for the others. Ranks count from 1. */
export function Rank({ rank }: { rank: number }) {
  if (rank > 3) return <span className="rank rank-plain mono-number">#{rank}</span>;
  return (
    <span className={`rank rank-${rank}`} title={`Rank ${rank}`}>
      <Icon name={rank === 1 ? 'crown' : 'trophy'} />
      <span className="visually-hidden">#{rank}</span>
    </span>
  );
}
