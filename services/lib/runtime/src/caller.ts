import { DomainError } from './errors.ts';

/** Who makes a call, as proved by its signed identity. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly username: string;
      readonly admin: boolean;
      readonly verified: boolean;
    }
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'runner'; readonly name: string }
  | {
      readonly kind: 'lease';
      readonly jobId: string;
      readonly attempt: number;
      readonly runner: string;
      /** Hashes of the bots and package archives that the match plays: what the lease may fetch from submission. */
      readonly reads?: readonly string[];
    };

export type UserCaller = Extract<Caller, { kind: 'user' }>;
export type LeaseCaller = Extract<Caller, { kind: 'lease' }>;

const signIn = () => new DomainError('UNAUTHENTICATED', 'not-signed-in', 'Not authenticated');

/** A signed-in user, verified or not; otherwise UNAUTHENTICATED. */
export function requireUser(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw signIn();
  return caller;
}

/** A signed-in, verified user (admins count as verified only when they are); otherwise PERMISSION_DENIED. */
export function requireVerified(caller: Caller): UserCaller {
  const user = requireUser(caller);
  if (!user.verified) {
    throw new DomainError('PERMISSION_DENIED', 'not-verified', 'Please verify your account first');
  }
  return user;
}

export function requireAdmin(caller: Caller): UserCaller {
  const user = requireUser(caller);
  if (!user.admin) throw new DomainError('PERMISSION_DENIED', 'not-admin', 'Admin privileges are required');
  return user;
}

export function isAdmin(caller: Caller): boolean {
  return caller.kind === 'user' && caller.admin;
}

/** One of our own services, by name; nobody else. */
export function requireService(caller: Caller, ...names: readonly string[]): void {
  if (caller.kind !== 'service' || !names.includes(caller.name)) {
    throw new DomainError('PERMISSION_DENIED', 'not-for-this-caller', 'This call is not for this caller');
  }
}

export function requireRunner(caller: Caller): Extract<Caller, { kind: 'runner' }> {
  if (caller.kind !== 'runner') {
    throw new DomainError('PERMISSION_DENIED', 'not-a-runner', 'Only a runner may make this call');
  }
  return caller;
}

/** The lease of one attempt of one match. Whether it is still current is the callee's to check. */
export function requireLease(caller: Caller): LeaseCaller {
  if (caller.kind !== 'lease') {
    throw new DomainError('PERMISSION_DENIED', 'no-lease', 'This call needs the lease of a match');
  }
  return caller;
}
