import { type BotEstimate, nestedEstimate } from '@husky/estimate/nested';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { Command } from './command.ts';
import { compareChain } from './commands/compare-chain.ts';
import { debugCommand } from './commands/debug.ts';
import { play } from './commands/play.ts';
import { repeatHandCommand } from './commands/repeat-hand.ts';
import { explainResolver, readLock } from './commands/resolver.ts';
import { statsCommand } from './commands/stats.ts';
import { trial } from './commands/trial.ts';
import { keysOf, verifyCommand } from './commands/verify.ts';
import { verifyBatch } from './commands/verify-batch.ts';
import { verifyProof } from './commands/verify-proof.ts';
import { verifyTournamentCommand } from './commands/verify-tournament.ts';

/** Returns the versions of the rules and of Node. */
async function about(): Promise<object> {
  return { rules_version: RULES_VERSION, node: process.version };
}

/** The command `nested` with the bots of each model: its estimate and intervals. */
async function nested({ models }: Readonly<Record<string, unknown>>): Promise<object> {
  return { models: (models as BotEstimate[][]).map(nestedEstimate) };
}

/** All commands by name. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['about', about],
  ['debug', debugCommand],
  ['nested', nested],
  ['explain-resolver', explainResolver],
  ['play', play],
  ['read-lock', readLock],
  ['repeat-hand', repeatHandCommand],
  ['stats', statsCommand],
  ['trial', trial],
  ['verify', verifyCommand],
  ['verify-batch', ({ path, keys }) => verifyBatch(String(path), keysOf(keys))],
  ['verify-proof', verifyProof],
  ['verify-tournament', verifyTournamentCommand],
  ['compare-chain', compareChain],
]);
