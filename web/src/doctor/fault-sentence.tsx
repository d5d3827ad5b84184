import { Link } from 'react-router';
import { botReportPath, replayPath } from '../lib/matches.ts';
import type { BotFaults } from '../lib/types.ts';
import { causeOf, sentenceOfRow } from './diagnosis.ts';
import './doctor.css';

type Props = { jobId: string; username: string; faults: BotFaults | undefined };

/** Shows in one sentence what failed in a match, with links to the failing line and the first faulty step. Renders nothing without faults. */
export function FaultSentence({ jobId, username, faults }: Props) {
  const sentence = sentenceOfRow(faults);
  if (sentence === '') return null;
  const first = faults?.first;
  const { line } = causeOf(first?.text ?? '');
  return (
    <div className="fault-sentence">
      <p>{sentence}</p>
      <div className="cluster">
        <Link to={botReportPath(jobId, username)}>{line === null ? 'What failed' : `Show line ${line}`}</Link>
        {first?.game_id && (
          <Link to={replayPath(first.game_id, first.step)}>First faulty step (hand #{first.hand})</Link>
        )}
      </div>
    </div>
  );
}
