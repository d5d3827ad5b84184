import { Fragment } from 'react';
import { Link } from 'react-router';
import { formatTime } from '../lib/format.ts';
import { batchPath, endText, isLive, jobPath, jobTitle, resultText } from '../lib/matches.ts';
import type { PublicJob } from '../lib/types.ts';
import { LiveMark } from './badge.tsx';
import { Name } from './name.tsx';
import './match-card.css';

export type CardMatch = Pick<
  PublicJob,
  | 'job_id'
  | 'batch_number'
  | 'batch_is_public'
  | 'game_number'
  | 'players'
  | 'status'
  | 'winner'
  | 'winner_delta'
  | 'hands'
  | 'end_reason'
  | 'first_game_created_at'
>;

/** Lists matches as cards: who won, how much, how many hands, how it ended. */
export function MatchCards({ matches, heading = 'h3' }: { matches: readonly CardMatch[]; heading?: 'h2' | 'h3' }) {
  return (
    <ul className="job-cards">
      {matches.map((match) => (
        <MatchCard key={match.job_id} match={match} heading={heading} />
      ))}
    </ul>
  );
}

function MatchCard({ match, heading: Heading }: { match: CardMatch; heading: 'h2' | 'h3' }) {
  return (
    <li className={isLive(match) ? 'job-card job-card-live' : 'job-card'}>
      <Heading className="job-card-title">
        {/* The whole card is clickable; the link's text is only the title. */}
        <Link to={jobPath(match)}>{jobTitle(match)}</Link>
        {isLive(match) && <LiveMark />}
      </Heading>
      <p className="job-card-result">
        <bdi>{resultText(match)}</bdi>
      </p>
      <p className="job-card-end">{endText(match)}</p>
      <p className="job-card-players">
        {match.players.map((name, at) => (
          <Fragment key={name}>
            {at > 0 && ' · '}
            <Name name={name} />
          </Fragment>
        ))}
      </p>
      {match.batch_is_public && typeof match.batch_number === 'number' && (
        <p className="job-card-batch">
          <Link to={batchPath(match.batch_number)}>Standing of batch #{match.batch_number}</Link>
        </p>
      )}
      <p className="job-card-id">ID: {match.job_id}</p>
      <p className="job-card-date">{formatTime(match.first_game_created_at)}</p>
    </li>
  );
}
