import { useAppConfig } from '../lib/app-config.ts';
import { formatTime } from '../lib/format.ts';
import './feedback.css';

/** Says why uploads are refused while the event is frozen, and since when. Renders nothing otherwise. */
export function FreezeNote({ id }: { id?: string }) {
  const { frozen, frozen_since: since } = useAppConfig();
  if (!frozen) return null;
  return (
    <p className="freeze-note" id={id}>
      The organisers have frozen the event{since && ` since ${formatTime(since)}`}: uploads, final marks and test runs
      are refused until they end the freeze.
    </p>
  );
}
