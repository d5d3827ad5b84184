import { join } from 'node:path';

export const botsFolder = join(import.meta.dirname, '../../../services/runner/bots');

/** Deterministic example bots: equal cards and actions lead to equal decisions. */
export const honestBots = ['house', 'tight-aggressive', 'position-aware', 'calling-station', 'house'] as const;

/** Small time limits, so that a case that exhausts them ends within seconds. */
export const limits = {
  decisionMs: 1500,
  bankMs: 2000,
  freeMs: 100,
  faultsToDisable: 10,
  startupMs: 6000,
  memoryMib: 96,
} as const;

/** The same limits as environment variables of a platform. */
export const limitVariables: Record<string, string> = {
  BOT_DECISION_MS: String(limits.decisionMs),
  BOT_BANK_MS: String(limits.bankMs),
  BOT_FREE_MS: String(limits.freeMs),
  BOT_FAULTS_TO_DISABLE: String(limits.faultsToDisable),
  BOT_STARTUP_MS: String(limits.startupMs),
  BOT_MEMORY_MIB: String(limits.memoryMib),
};

/** A bot that always folds; takes the attacker's seat in the reference match. */
export const foldingBot = `
from bot import Bot
from type.poker_action import PokerAction

class SimplePlayer(Bot):
    def on_start(self, *given): pass
    def on_round_start(self, *given): pass
    def on_end_round(self, *given): pass
    def on_end_game(self, *given): pass
    def get_action(self, round_state, remaining_chips): return PokerAction.FOLD, 0
`;
