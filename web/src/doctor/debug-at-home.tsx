import { Link } from 'react-router';
import { CommandLine } from '../components/command-line.tsx';

/** Shows the three commands of the local kit that repeat a hand of a match on the user's machine. */
export function DebugAtHome({ jobId, hand }: { jobId: string; hand: number }) {
  const file = `match-${jobId}.jsonl`;
  return (
    <details className="doctor-changes">
      <summary>Debug hand #{hand} on your machine</summary>
      <div>
        <CommandLine text={`husky download ${jobId}`} label="Copy download command" />
        <CommandLine text={`husky replay ${file} --hand ${hand}`} label="Copy replay command" />
        <CommandLine text={`husky debug player.py --match ${file} --hand ${hand}`} label="Copy debug command" />
        <p className="muted">
          The commands are those of <Link to="/kit">the local kit</Link>. Your bot gets the very same calls as in the
          match, and pdb and print work: <Link to="/bots/debug">Debug a bot</Link>.
        </p>
      </div>
    </details>
  );
}
