import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { EVENT_ZONE_NAME, instantOf, wallTime } from '../lib/event-zone.ts';
import { formatTime } from '../lib/format.ts';
import { Button } from './button.tsx';
import { ErrorBox } from './feedback.tsx';
import './field.css';

interface FormProps {
  readonly onSubmit: () => unknown;
  /** Shown above the fields. */
  readonly error?: string;
  readonly children: ReactNode;
}

/** Shows fields one below the other. `onSubmit` replaces the browser's checks and its page load. */
export function Form({ onSubmit, error = '', children }: FormProps) {
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <ErrorBox text={error} />
      {children}
    </form>
  );
}

/** Submits the form around it; disabled while the form is `busy`. */
export function SubmitButton({ busy, label, busyLabel }: { busy: boolean; label: string; busyLabel: string }) {
  return (
    <Button type="submit" disabled={busy}>
      {busy ? busyLabel : label}
    </Button>
  );
}

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

type TimeProps = Frame & {
  /** RFC 3339, or '' for none. */
  value: string;
  /** Gets RFC 3339 in UTC, or '' while no whole time is chosen. */
  onTime: (time: string) => void;
};

/** Lets the user pick a time in the event's zone. The hint has it in the user's own. */
export function TimeField({ value, onTime, hint, ...frame }: TimeProps) {
  // What is typed stays while it is no time yet: a value that is set would clear the picker.
  const [typed, setTyped] = useState('');
  const shown = typed !== '' && instantOf(typed) === value ? typed : wallTime(value);
  const own = value === '' ? '' : `, in your zone ${formatTime(value)}`;
  return (
    <TextField
      {...frame}
      type="datetime-local"
      step={shown.length > 'yyyy-mm-ddThh:mm'.length ? 1 : 60}
      hint={hint ?? `${EVENT_ZONE_NAME}${own}`}
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value);
        onTime(instantOf(target.value));
      }}
    />
  );
}

/** Shows a checkbox before its label. */
export function CheckField({
  label,
  checked,
  onCheck,
}: {
  label: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}) {
  return (
    <label className="cluster">
      <input type="checkbox" className="check" checked={checked} onChange={(event) => onCheck(event.target.checked)} />
      {label}
    </label>
  );
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
