import type { ReactNode } from 'react';
import { Form, SubmitButton } from '../../components/form.tsx';
import { useSubmit } from '../../lib/use-submit.ts';

type Props = {
  /** Returns the first error of the input, or ''. */
  check: () => string;
  send: () => Promise<void>;
  /** Returns the text for an error that `send` threw. */
  explain: (error: unknown) => string;
  label: string;
  busyLabel: string;
  /** The fields. */
  children: ReactNode;
};

/** Renders a form of the sign-in pages: shows errors on top and submits once at a time. */
export function AuthForm({ check, send, explain, label, busyLabel, children }: Props) {
  const { error, busy, submit } = useSubmit(explain);
  return (
    <Form onSubmit={() => submit(send, check())} error={error}>
      {children}
      <SubmitButton busy={busy} label={label} busyLabel={busyLabel} />
    </Form>
  );
}
