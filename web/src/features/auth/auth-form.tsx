import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';

type Props = {
  /** The first thing wrong with what was typed, or ''. */
  check: () => string;
  send: () => Promise<void>;
  /** The sentence for what `send` threw. */
  explain: (error: unknown) => string;
  label: string;
  busyLabel: string;
  /** The fields. */
  children: ReactNode;
};

/** A form of the sign-in pages: the error on top, one thing at a time under way. */
export function AuthForm({ check, send, explain, label, busyLabel, children }: Props) {
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const problem = check();
    setError(problem);
    if (problem !== '') return;
    setBusy(true);
    try {
      await send();
    } catch (failure) {
      setError(explain(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ErrorBox text={error} />
      {children}
      <Button type="submit" disabled={busy}>
        {busy ? busyLabel : label}
      </Button>
    </form>
  );
}
