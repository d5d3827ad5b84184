import { CheckField, TextField } from '../../components/form.tsx';
import { formatBytes } from '../../lib/format.ts';
import type { EventSettings } from '../../lib/types.ts';

/** Inputs of the ladder. */
export type LadderForm = { on: boolean; hands: string; handsADay: string; keepDays: string };

export const ladderFormOf = (saved: EventSettings): LadderForm => ({
  on: saved.ladder,
  hands: String(saved.ladder_hands),
  handsADay: String(saved.ladder_hands_a_day),
  keepDays: String(saved.keep_ladder_days),
});

export const ladderBodyOf = ({ on, hands, handsADay, keepDays }: LadderForm) => ({
  ladder: on,
  ladder_hands: Number(hands),
  ladder_hands_a_day: Number(handsADay),
  keep_ladder_days: Number(keepDays),
});

/** Disk in tables and indexes (docs/capacity.md). */
const BYTES_A_HAND = 41;
const BYTES_A_MATCH = 51 * 1024;

const FIELDS = [
  { name: 'hands', label: 'Hands of a rotation', min: 10, max: 1000 },
  { name: 'handsADay', label: 'Hands a day, at most', min: 0, max: 100_000_000 },
  { name: 'keepDays', label: 'Days that its matches are kept', min: 0, max: 3650 },
] as const;

/** Edits whether and how fast the ladder plays, and shows what its matches take. */
export function LadderFields({ value, onChange }: { value: LadderForm; onChange: (value: LadderForm) => void }) {
  const days = Number(value.keepDays);
  const perDay = Number(value.handsADay) * (BYTES_A_HAND + BYTES_A_MATCH / Math.max(1, Number(value.hands)));
  return (
    <fieldset className="plain-fieldset">
      <legend className="field-label">Ladder</legend>
      <CheckField
        label="Sets are played while runners are free"
        checked={value.on}
        onCheck={(on) => onChange({ ...value, on })}
      />
      <div className="field-grid">
        {FIELDS.map(({ name, ...field }) => (
          <TextField
            key={name}
            {...field}
            type="number"
            required
            value={value[name]}
            onChange={(event) => onChange({ ...value, [name]: event.target.value })}
          />
        ))}
      </div>
      <p className="muted">
        {days === 0
          ? `At this pace about ${formatBytes(perDay)} more a day, without an end.`
          : `At this pace about ${formatBytes(perDay * days)} in the database. Results and ratings stay.`}
      </p>
    </fieldset>
  );
}
