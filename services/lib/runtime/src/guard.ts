import type { AnyRule } from './access.ts';
import type { Caller } from './caller.ts';
import type { Call } from './grpc-server.ts';

interface Admission {
  /** What the handler gets: its caller is what the rule made of them. */
  readonly call: Call & { check?: (...found: never[]) => unknown };
  /** Before anything is answered: a handler that has not asked about what it found answers nothing. */
  settle(): void;
}

function admit(label: string, rule: AnyRule, request: unknown, call: Call): Admission {
  const who = typeof rule === 'function' ? rule : rule.who;
  const caller = who(call.caller, request as never);
  if (typeof rule === 'function') return { call: { ...call, caller }, settle: () => undefined };
  const check = rule.check as (caller: Caller, ...found: unknown[]) => unknown;
  let asked = false;
  return {
    call: {
      ...call,
      caller,
      check(...found: unknown[]) {
        asked = true;
        return check(caller, ...found);
      },
    },
    settle() {
      if (!asked) throw new Error(`${label} answers without having checked whether what it found is for its caller`);
    },
  };
}

/** A handler that runs for those only whom the rule lets in. */
export function guarded(label: string, rule: AnyRule, handler: (request: unknown, call: Call) => Promise<unknown>) {
  return async (request: unknown, call: Call): Promise<unknown> => {
    const admission = admit(label, rule, request, call);
    const response = await handler(request, admission.call);
    admission.settle();
    return response;
  };
}

/** The same for a stream: its check comes before the first message. */
export function guardedStream(
  label: string,
  rule: AnyRule,
  handler: (request: unknown, call: Call) => AsyncIterable<unknown>,
) {
  return async function* (request: unknown, call: Call): AsyncGenerator<unknown> {
    const admission = admit(label, rule, request, call);
    for await (const message of handler(request, admission.call)) {
      admission.settle();
      yield message;
    }
    admission.settle();
  };
}
