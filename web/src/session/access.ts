import type { Session } from './session.ts';

export type Requirement = 'signed-out' | 'signed-in' | 'unverified' | 'verified' | 'admin';

export type Decision =
  | { kind: 'show' }
  | { kind: 'loading' }
  | { kind: 'unreachable' }
  | { kind: 'denied' }
  | { kind: 'redirect'; to: '/login' | '/verify-account' }
  | { kind: 'return' };

const SHOW: Decision = { kind: 'show' };

/** Decides what a guard does: 'redirect' saves the requested path first; 'return' goes to the saved path, else to /dashboard. */
export function decideAccess(requirement: Requirement, session: Pick<Session, 'phase' | 'user'>): Decision {
  if (session.phase === 'checking') return { kind: 'loading' };
  if (session.phase === 'unreachable') return requirement === 'signed-out' ? SHOW : { kind: 'unreachable' };
  const { user } = session;
  if (user === null) return requirement === 'signed-out' ? SHOW : { kind: 'redirect', to: '/login' };
  if (requirement === 'signed-out') return { kind: 'return' };
  if (requirement === 'signed-in') return SHOW;
  if (requirement === 'unverified') return user.is_verified ? { kind: 'return' } : SHOW;
  if (!user.is_verified) return { kind: 'redirect', to: '/verify-account' };
  if (requirement === 'admin' && !user.admin) return { kind: 'denied' };
  return SHOW;
}
