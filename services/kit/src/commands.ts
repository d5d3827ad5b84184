import { about } from './commands/about.ts';
import { play } from './commands/play.ts';

/** Carries out a request; resolves with the fields of the result. The signal aborts when the caller stops the command. */
export type Command = (request: Readonly<Record<string, unknown>>, stop: AbortSignal) => Promise<object>;

/** All commands by name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['about', about],
  ['play', play],
]);
