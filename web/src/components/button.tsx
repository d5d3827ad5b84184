import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router';
import './button.css';

type ButtonStyle = {
  variant?: 'primary' | 'secondary' | 'danger' | 'ghost' | undefined;
  small?: boolean | undefined;
  iconOnly?: boolean | undefined;
};
type ButtonProps = ButtonStyle & ButtonHTMLAttributes<HTMLButtonElement>;

function classesOf({ variant = 'primary', small, iconOnly }: ButtonStyle, extra?: string): string {
  return ['button', `button-${variant}`, small && 'button-small', iconOnly && 'button-icon', extra]
    .filter(Boolean)
    .join(' ');
}

/** Renders a button in the site's style. `iconOnly` requires an aria-label. */
export function Button({ variant, small, iconOnly, className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={classesOf({ variant, small, iconOnly }, className)} {...rest} />;
}

/** Renders a link of the app that looks like a button. */
export function ButtonLink({
  to,
  children,
  state,
  ...style
}: ButtonStyle & { to: string; children: ReactNode; state?: unknown }) {
  return (
    <Link to={to} state={state} className={classesOf(style)}>
      {children}
    </Link>
  );
}
