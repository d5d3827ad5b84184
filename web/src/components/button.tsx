import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router';
import './button.css';

type Look = { variant?: 'primary' | 'secondary' | 'danger' | 'ghost'; small?: boolean; iconOnly?: boolean };
type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement>;

function classes({ variant = 'primary', small, iconOnly }: Look, extra?: string): string {
  return ['button', `button-${variant}`, small && 'button-small', iconOnly && 'button-icon', extra]
    .filter(Boolean)
    .join(' ');
}

/** A button of the site. `iconOnly` requires an aria-label. */
export function Button({ variant, small, iconOnly, className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={classes({ ...look({ variant, small, iconOnly }) }, className)} {...rest} />;
}

function look(given: { [K in keyof Look]: Look[K] | undefined }): Look {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** A link of the app that looks like a button. */
export function ButtonLink({
  to,
  children,
  state,
  ...given
}: Look & { to: string; children: ReactNode; state?: unknown }) {
  return (
    <Link to={to} state={state} className={classes(given)}>
      {children}
    </Link>
  );
}
