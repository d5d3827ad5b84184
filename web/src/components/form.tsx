import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorBox } from './error-box.tsx';

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
