import type { MethodDefinition } from '@grpc/proto-loader';
import type {
  AdminCaller,
  Caller,
  LeaseCaller,
  RunnerCaller,
  ServiceCaller,
  UserCaller,
  VerifiedCaller,
} from './caller.ts';
import { DomainError } from './errors.ts';

/** Lets a caller in as what they have proved to be, or refuses them; by what they ask for, where that decides. */
export type Rule<C extends Caller = Caller, Request = unknown> = (caller: Caller, request: Request) => C;

/** Two questions: who may ask at all, and, of what was found then, whether it is for them. */
export interface FoundRule<C extends Caller, Request, Found extends unknown[], Answer> {
  readonly who: Rule<C, Request>;
  readonly check: (caller: C, ...found: Found) => Answer;
}

/** Whatever a table may say of one call. */
export type AnyRule<Request = never> =
  | Rule<Caller, Request>
  | { readonly who: Rule<Caller, Request>; readonly check: (caller: never, ...found: never[]) => unknown };

/** A service's method as its handlers and its table name it. */
export type CallName<K> = K extends string ? (string extends K ? never : Uncapitalize<K>) : never;

/** Who may make each call of a service: a rule for every one of its proto, or it does not compile. */
export type AccessTable<D> = {
  readonly [K in keyof D as CallName<K>]: D[K] extends MethodDefinition<
    infer _In,
    infer _ResIn,
    infer Request,
    infer _Out
  >
    ? AnyRule<Request>
    : never;
};

/** With or without a user, but never without a signed identity. */
export function anyone(caller: Caller): Caller {
  return caller;
}

/** A signed-in user, verified or not. */
export function signedIn(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller;
  throw new DomainError('UNAUTHENTICATED', 'not-signed-in', 'Not authenticated');
}

/** A signed-in, verified user (admins count as verified only when they are). */
export function verified(caller: Caller): VerifiedCaller {
  const user = signedIn(caller);
  if (user.verified) return { ...user, verified: true };
  throw new DomainError('PERMISSION_DENIED', 'not-verified', 'Please verify your account first');
}

export function admin(caller: Caller): AdminCaller {
  const user = signedIn(caller);
  if (isAdmin(user)) return user;
  throw new DomainError('PERMISSION_DENIED', 'not-admin', 'Admin privileges are required');
}

export function isAdmin(caller: Caller): caller is AdminCaller {
  return caller.kind === 'user' && caller.admin;
}

/** An admin, or else whom the rule lets in. */
export function adminOr<C extends Caller, Request>(rule: Rule<C, Request>): Rule<AdminCaller | C, Request> {
  return (caller, request) => (isAdmin(caller) ? caller : rule(caller, request));
}

/** A verified user or an admin. */
export function member(caller: Caller): UserCaller {
  return isAdmin(caller) ? caller : verified(caller);
}

/** A member, for what is theirs; admins for what is anybody's. `what` it is goes into the refusal. */
export function ownerOrAdmin(what: string): (caller: Caller, ownerId: string) => UserCaller {
  return (caller, ownerId) => {
    const user = member(caller);
    if (user.admin || user.id === ownerId) return user;
    throw notTheOwner(what);
  };
}

export const notTheOwner = (what: string) =>
  new DomainError('PERMISSION_DENIED', 'not-the-owner', `This ${what} belongs to another user.`);

/** Our own services of these names; nobody else. */
export function only(...names: readonly string[]): (caller: Caller) => ServiceCaller {
  return (caller) => {
    if (caller.kind === 'service' && names.includes(caller.name)) return caller;
    throw new DomainError('PERMISSION_DENIED', 'not-for-this-caller', 'This call is not for this caller');
  };
}

export function runner(caller: Caller): RunnerCaller {
  if (caller.kind === 'runner') return caller;
  throw new DomainError('PERMISSION_DENIED', 'not-a-runner', 'Only a runner may make this call');
}

/** The lease of one attempt of one match. Whether it is still current is the callee's to check. */
export function lease(caller: Caller): LeaseCaller {
  if (caller.kind === 'lease') return caller;
  throw new DomainError('PERMISSION_DENIED', 'no-lease', 'This call needs the lease of a match');
}

/** Those of `who`, and of what the handler found only what `check` gives them: the handler asks by `call.check`. */
export function onceFound<C extends Caller, Request, Found extends unknown[], Answer>(
  who: Rule<C, Request>,
  check: (caller: C, ...found: Found) => Answer,
): FoundRule<C, Request, Found, Answer> {
  return { who, check };
}
