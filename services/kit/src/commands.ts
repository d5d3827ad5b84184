import { about } from './commands/about.ts';
import { debugCommand } from './commands/debug.ts';
import { repeatHandCommand } from './commands/repeat-hand.ts';
import { statsCommand } from './commands/stats.ts';
import { verifyCommand } from './commands/verify.ts';

/** Carries out a request; resolves with the fields of the result. The signal aborts when the caller stops the command. */
export type Command = (request: Readonly<Record<string, unknown>>, stop: AbortSignal) => Promise<object>;

/** All commands by name. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ['about', about],
  ['debug', debugCommand],
  ['repeat-hand', repeatHandCommand],
  ['stats', statsCommand],
  ['verify', verifyCommand],
]);
