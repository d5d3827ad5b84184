import type { ReactNode } from 'react';
import { Form, SubmitButton } from '../../components/form.tsx';
import { useSubmit } from '../../lib/forms.ts';
import '../../components/page.css';
import './auth.css';
import { usePageTitle } from '../../components/page.tsx';

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

/** Renders the card around the forms of the sign-in pages. */
export function AuthCard({
  title,
  tabTitle,
  lead,
  children,
}: {
  title: string;
  tabTitle: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  usePageTitle(tabTitle);
  return (
    <div className="auth">
      <section className="panel auth-card" aria-labelledby="auth-title">
        <div className="panel-body">
          <span className="auth-art" aria-hidden="true">
            ♠♥♦♣
          </span>
          <div className="stack stack-tight">
            <h1 id="auth-title">{title}</h1>
            {lead && <div className="muted">{lead}</div>}
          </div>
          {children}
        </div>
      </section>
    </div>
  );
}

/** Returns the first error of a login form, or ''. */
export function checkLogin(form: { username: string; password: string }): string {
  return form.username.trim() === '' || form.password === '' ? 'Please enter both username and password' : '';
}

/** Returns the first error of a registration, or ''. The server checks the rules for names and passwords. */
export function checkRegistration(form: {
  username: string;
  email: string;
  password: string;
  confirm: string;
}): string {
  if (form.username.trim() === '' || form.email.trim() === '' || form.password === '' || form.confirm === '') {
    return 'Please fill in all fields';
  }
  return form.password === form.confirm ? '' : 'Passwords do not match';
}

/** Returns the first error of a new password and its repetition, or ''. */
export function checkNewPassword(form: { password: string; confirm: string }): string {
  if (form.password === '' || form.confirm === '') return 'Please fill in all fields';
  return form.password === form.confirm ? '' : 'Passwords do not match';
}
