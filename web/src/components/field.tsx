import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import './field.css';

type Frame = { label: string; hint?: ReactNode; error?: string; hideLabel?: boolean };
type Wiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

function FieldFrame({ label, hint, error, hideLabel, render }: Frame & { render: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label className={hideLabel ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      {render({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true as const } : {}),
      })}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

function frameOf<T extends Frame>(props: T): { frame: Frame; rest: Omit<T, keyof Frame> } {
  const { label, hint, error, hideLabel, ...rest } = props;
  const frame: Frame = { label, hint, ...(error ? { error } : {}), ...(hideLabel ? { hideLabel } : {}) };
  return { frame, rest };
}

export function TextField(props: Frame & InputHTMLAttributes<HTMLInputElement>) {
  const { frame, rest } = frameOf(props);
  return <FieldFrame {...frame} render={(wiring) => <input className="field-input" {...wiring} {...rest} />} />;
}

export function TextAreaField(props: Frame & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { frame, rest } = frameOf(props);
  return <FieldFrame {...frame} render={(wiring) => <textarea className="field-input" {...wiring} {...rest} />} />;
}

export function SelectField(props: Frame & SelectHTMLAttributes<HTMLSelectElement>) {
  const { frame, rest } = frameOf(props);
  return <FieldFrame {...frame} render={(wiring) => <select className="field-input" {...wiring} {...rest} />} />;
}

type SearchProps = { label: string; value: string; onSearch: (text: string) => void; placeholder?: string };

export function SearchField({ onSearch, ...field }: SearchProps) {
  return <TextField type="search" {...field} onChange={(event) => onSearch(event.target.value)} />;
}

type ChoiceProps<Choice extends string> = {
  label: string;
  value: Choice;
  /** Values with their labels; '' stands for all. */
  choices: Readonly<Record<Choice, string>>;
  onChoose: (value: Choice) => void;
};

/** Shows a select that filters a list. */
export function ChoiceField<Choice extends string>({ label, value, choices, onChoose }: ChoiceProps<Choice>) {
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
