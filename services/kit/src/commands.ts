import type { Command } from './command.ts';
import { about } from './commands/about.ts';
import { checkFiles, explainResolver } from './commands/check-files.ts';
import { debugCommand } from './commands/debug.ts';
import { play } from './commands/play.ts';
import { repeatHandCommand } from './commands/repeat-hand.ts';
import { statsCommand } from './commands/stats.ts';
import { verifyCommand } from './commands/verify.ts';
import { verifyBatch } from './commands/verify-batch.ts';

/** All commands by name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['about', about],
  ['check-files', checkFiles],
  ['debug', debugCommand],
  ['explain-resolver', explainResolver],
  ['play', play],
  ['repeat-hand', repeatHandCommand],
  ['stats', statsCommand],
  ['verify', verifyCommand],
  ['verify-batch', ({ path }) => verifyBatch(String(path))],
]);
