import type { AnyRule } from './access.ts';
import type { Caller } from './caller.ts';

/** The part of a call that its guard replaces by the result of the rule. */
interface GuardedCall {
  readonly caller: Caller;
}

interface Admission<C> {
  readonly call: C & { check?: (...resource: never[]) => unknown };
  /** Throws unless the handler has called `check`, where its rule has one. Called before anything is returned. */
  requireCheck(): void;
}

function admit<C extends GuardedCall>(label: string, rule: AnyRule, request: unknown, call: C): Admission<C> {
  const who = typeof rule === 'function' ? rule : rule.who;
  const caller = who(call.caller, request as never);
  if (typeof rule === 'function') return { call: { ...call, caller }, requireCheck: () => undefined };
  const check = rule.check as (caller: Caller, ...resource: unknown[]) => unknown;
  let checked = false;
  return {
    call: {
      ...call,
      caller,
      check(...resource: unknown[]) {
        checked = true;
        return check(caller, ...resource);
      },
    },
    requireCheck() {
      if (!checked) throw new Error(`${label} returns a result without having checked it against its caller`);
    },
  };
}

/** Wraps a handler so that it runs only for callers that the rule admits. */
export function guard<C extends GuardedCall>(
  label: string,
  rule: AnyRule,
  handler: (request: unknown, call: C) => Promise<unknown>,
) {
  return async (request: unknown, call: C): Promise<unknown> => {
    const admission = admit(label, rule, request, call);
    const response = await handler(request, admission.call);
    admission.requireCheck();
    return response;
  };
}

/** Wraps a streaming handler in the same way. The handler must call `check` before its first message. */
export function guardStream<C extends GuardedCall>(
  label: string,
  rule: AnyRule,
  handler: (request: unknown, call: C) => AsyncIterable<unknown>,
) {
  return async function* (request: unknown, call: C): AsyncGenerator<unknown> {
    const admission = admit(label, rule, request, call);
    for await (const message of handler(request, admission.call)) {
      admission.requireCheck();
      yield message;
    }
    admission.requireCheck();
  };
}
