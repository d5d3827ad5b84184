import { SelectField } from './field.tsx';

type Props<Choice extends string> = {
  label: string;
  value: Choice;
  /** Values with their labels; '' stands for all. */
  choices: Readonly<Record<Choice, string>>;
  onChoose: (value: Choice) => void;
};

/** A filter of a list. */
export function ChoiceField<Choice extends string>({ label, value, choices, onChoose }: Props<Choice>) {
  return (
    <SelectField label={label} value={value} onChange={(event) => onChoose(event.target.value as Choice)}>
      {Object.entries<string>(choices).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
