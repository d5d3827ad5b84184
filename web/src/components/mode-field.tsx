import { SelectField } from './field.tsx';

export type MatchMode = 'classic' | 'duplicate';

/** Lets the user choose between a single match and the six matches of a deal set. */
export function ModeField({ mode, onMode }: { mode: MatchMode; onMode: (mode: MatchMode) => void }) {
  return (
    <SelectField
      label="Mode"
      value={mode}
      onChange={(event) => onMode(event.target.value === 'duplicate' ? 'duplicate' : 'classic')}
      hint={
        mode === 'duplicate'
          ? '6 matches with the same cards: the seats rotate, so that every bot plays every hand of every seat. Every hand starts with the starting stack.'
          : 'One match. Stacks are carried from hand to hand.'
      }
    >
      <option value="classic">Classic</option>
      <option value="duplicate">Duplicate</option>
    </SelectField>
  );
}
