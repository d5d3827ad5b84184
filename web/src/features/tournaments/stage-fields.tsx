import { Button } from '../../components/button.tsx';
import { ChoiceField, TextField } from '../../components/form.tsx';
import type { Tournament } from '../../lib/types.ts';
import './tournament.css';

export type StageSpec = Tournament['stages'][number]['spec'];

const maxStages = 8;
const modes = { classic: 'Matches', duplicate: 'Duplicate: each deal in six rotations' };
const common = { mode: 'classic', stacks: 'carry', big_blind: 10, stop_rule: null } as const;

/** What an admin starts from. */
export const firstStages: readonly StageSpec[] = [
  { ...common, name: 'Qualification', hands: 1000, hands_each: 12_000, advance: 6 },
  { ...common, name: 'Final', hands: 1000, hands_each: 24_000, advance: null },
];

/** Returns the stages in another order or number: nobody goes on from the last one, and somebody from each other. */
function linked(stages: readonly StageSpec[]): StageSpec[] {
  return stages.map((stage, at) => ({
    ...stage,
    advance: at === stages.length - 1 ? null : (stage.advance ?? 6),
  }));
}

/** Lets an admin set the stages of a tournament: add, remove, reorder, and what each plays. */
export function StageFields({
  stages,
  onStages,
}: {
  stages: readonly StageSpec[];
  onStages: (stages: readonly StageSpec[]) => void;
}) {
  const change = (at: number, more: Partial<StageSpec>) =>
    onStages(stages.map((stage, index) => (index === at ? { ...stage, ...more } : stage)));
  const up = (at: number) => onStages(linked(stages.toSpliced(at, 1).toSpliced(at - 1, 0, stages[at] as StageSpec)));
  const add = () => {
    const name = `Stage ${stages.length + 1}`;
    onStages(linked([...stages, { ...(stages.at(-1) ?? (firstStages[1] as StageSpec)), name, advance: null }]));
  };
  return (
    <fieldset className="tournament-stages">
      <legend>Stages, in the order of play</legend>
      {stages.map((stage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stage has no other identity while its name is typed.
        <div key={at} className="cluster">
          <TextField
            label={`Name of stage ${at + 1}`}
            value={stage.name}
            onChange={({ target }) => change(at, { name: target.value })}
          />
          <ChoiceField
            label="Play"
            value={stage.mode}
            choices={modes}
            onChoose={(mode) => change(at, { mode, stacks: mode === 'duplicate' ? 'reset' : 'carry', stop_rule: null })}
          />
          <CountField label="Hands of a match" value={stage.hands} onCount={(hands) => change(at, { hands })} />
          <CountField
            label="Hands of each player"
            value={stage.hands_each}
            onCount={(hands_each) => change(at, { hands_each })}
          />
          {at < stages.length - 1 && (
            <CountField label="Go on" value={stage.advance ?? 6} onCount={(advance) => change(at, { advance })} />
          )}
          {stage.stop_rule !== null && <span className="muted">ends when all pairs are decided</span>}
          <Button variant="ghost" small disabled={at === 0} aria-label={`Move ${stage.name} up`} onClick={() => up(at)}>
            Up
          </Button>
          <Button
            variant="ghost"
            small
            disabled={stages.length === 1}
            aria-label={`Remove ${stage.name}`}
            onClick={() => onStages(linked(stages.toSpliced(at, 1)))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button variant="secondary" small disabled={stages.length === maxStages} onClick={add}>
        Add a stage
      </Button>
    </fieldset>
  );
}

function CountField({ label, value, onCount }: { label: string; value: number; onCount: (count: number) => void }) {
  return (
    <TextField
      label={label}
      type="number"
      min={1}
      required
      value={value}
      onChange={({ target }) => onCount(Math.trunc(Number(target.value)))}
    />
  );
}
