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

/** Returns the caller, narrowed to the kind that the rule admits, or throws a refusal. May depend on the request. */
export type Rule<C extends Caller = Caller, Request = unknown> = (caller: Caller, request: Request) => C;

/** A rule in two steps: who may call at all and, once the handler has loaded the resource, whether this caller may use it. */
export interface ResourceRule<C extends Caller, Request, Resource extends unknown[], Result> {
  readonly who: Rule<C, Request>;
  readonly check: (caller: C, ...resource: Resource) => Result;
}

/** An entry of an access table. */
export type AnyRule<Request = never> =
  | Rule<Caller, Request>
  | { readonly who: Rule<Caller, Request>; readonly check: (caller: never, ...resource: never[]) => unknown };

/** The name of a method as handlers and access tables write it: camelCase. */
export type CallName<K> = K extends string ? (string extends K ? never : Uncapitalize<K>) : never;

/** The access rule of each method of a service. A method without a rule does not compile. */
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

/** Admits every caller with a signed identity, signed in or not. */
export function anyone(caller: Caller): Caller {
  return caller;
}

/** Admits signed-in users, verified or not. */
export function signedIn(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller;
  throw new DomainError('UNAUTHENTICATED', 'not-signed-in', 'Not authenticated');
}

/** Admits verified users. Refuses an admin who is not verified. */
export function verified(caller: Caller): VerifiedCaller {
  const user = signedIn(caller);
  if (user.verified) return { ...user, verified: true };
  throw new DomainError('PERMISSION_DENIED', 'not-verified', 'Please verify your account first');
}

/** Admits admins. */
export function admin(caller: Caller): AdminCaller {
  const user = signedIn(caller);
  if (isAdmin(user)) return user;
  throw new DomainError('PERMISSION_DENIED', 'not-admin', 'Admin privileges are required');
}

export function isAdmin(caller: Caller): caller is AdminCaller {
  return caller.kind === 'user' && caller.admin;
}

/** Admits admins and whoever `rule` admits. */
export function adminOr<C extends Caller, Request>(rule: Rule<C, Request>): Rule<AdminCaller | C, Request> {
  return (caller, request) => (isAdmin(caller) ? caller : rule(caller, request));
}

/** Admits verified users and admins. */
export function member(caller: Caller): UserCaller {
  return isAdmin(caller) ? caller : verified(caller);
}

/** Checks that a verified user owns a resource; admins pass. `what` names the resource in the refusal. */
export function ownerOrAdmin(what: string): (caller: Caller, ownerId: string) => UserCaller {
  return (caller, ownerId) => {
    const user = member(caller);
    if (user.admin || user.id === ownerId) return user;
    throw notTheOwner(what);
  };
}

export const notTheOwner = (what: string) =>
  new DomainError('PERMISSION_DENIED', 'not-the-owner', `This ${what} belongs to another user.`);

/** Admits the services with these names. */
export function only(...names: readonly string[]): (caller: Caller) => ServiceCaller {
  return (caller) => {
    if (caller.kind === 'service' && names.includes(caller.name)) return caller;
    throw new DomainError('PERMISSION_DENIED', 'not-for-this-caller', 'This call is not for this caller');
  };
}

/** Admits runners. */
export function runner(caller: Caller): RunnerCaller {
  if (caller.kind === 'runner') return caller;
  throw new DomainError('PERMISSION_DENIED', 'not-a-runner', 'Only a runner may make this call');
}

/** Admits the lease of one attempt of one match. Does not check that the lease is current: the callee does. */
export function lease(caller: Caller): LeaseCaller {
  if (caller.kind === 'lease') return caller;
  throw new DomainError('PERMISSION_DENIED', 'no-lease', 'This call needs the lease of a match');
}

/**
 * Admits callers by `who`; the handler must then pass the loaded resource to `call.check`, which runs `check`. A handler that
 * returns without having called it fails (guard.ts).
 */
export function authorizeResource<C extends Caller, Request, Resource extends unknown[], Result>(
  who: Rule<C, Request>,
  check: (caller: C, ...resource: Resource) => Result,
): ResourceRule<C, Request, Resource, Result> {
  return { who, check };
}
