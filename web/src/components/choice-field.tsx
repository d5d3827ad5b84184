import { SelectField } from './field.tsx';

type Props = {
  label: string;
  value: string;
  /** What is sent and what is shown; '' stands for all. */
  choices: Readonly<Record<string, string>>;
  onChoose: (value: string) => void;
};

/** A filter of a list. */
export function ChoiceField({ label, value, choices, onChoose }: Props) {
  return (
    <SelectField label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      {Object.entries(choices).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
