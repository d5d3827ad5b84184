// Generates services/runner/fixtures/conformance.json with the real dealer and the real seat.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { actionNames } from '@husky/holdem/action';
import { cardCode } from '@husky/holdem/card';
import { Table } from '@husky/holdem/table';
import { deckFor } from '@husky/match/deck';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { Profile } from '../../src/play/setup.ts';
import { type PlayedScenario, playScenario } from './play-scenario.ts';
import { bigBlind, type Scenario, scenarios, startingStack } from './scenarios.ts';

/** Version of the file's format. */
const formatVersion = 1;
const recorder = join(import.meta.dirname, '../../bots/tests/recorder.py');

const about =
  "Reference hands for bots' frames: the exact calls with arguments that a bot sees, and its replies. Described in docs/bots.md. " +
  'Made by services/runner/test/conformance/generate.ts from the real dealer and seat.';

/** Returns the name of an action in PokerAction, such as 'ALL_IN'. */
const memberOf = (kind: number): string => actionNames[kind as keyof typeof actionNames].replace(' ', '_');

/** Passes the dealer's lines through the seat's dialogue and returns the calls of each bot, `[method, ...arguments]`. */
function callsOf(python: string, seats: PlayedScenario['seats']): [string, ...unknown[]][][] {
  const input = seats.map(({ playerId, lines, replies }) => ({
    playerId,
    lines,
    replies: replies.map(({ kind, amount }) => [kind, amount]),
  }));
  const { status, stdout, stderr } = spawnSync(python, [recorder], { input: JSON.stringify(input), encoding: 'utf8' });
  if (status !== 0) throw new Error(`recorder.py failed: ${stderr}`);
  return JSON.parse(stdout) as [string, ...unknown[]][][];
}

/** Describes the deal, the actions and the results of each hand. */
function handsOf({ setup, records }: PlayedScenario) {
  const { rulesVersion, blinds, stacks, startingStack } = setup;
  const table = new Table({ rulesVersion, players: setup.seats.length, startingStack, blinds, stacks });
  return records.map((record) => {
    const hand = table.startHand(deckFor(setup.seed, table.handNumber + 1));
    for (const { kind, amount, adjusted } of record.actions.slice(hand.posts)) hand.act(kind, amount, adjusted);
    table.finishHand(hand);
    return {
      number: table.handNumber,
      stacks: hand.startStacks,
      blinds: [hand.smallBlind, hand.bigBlind],
      button: hand.button,
      smallBlindSeat: hand.smallBlindSeat,
      bigBlindSeat: hand.bigBlindSeat,
      holeCards: hand.dealtIn.map((dealt, seat) => (dealt ? hand.holeCards(seat).map(cardCode) : [])),
      board: [12, 13, 14, 15, 16].map((index) => cardCode(hand.deck[index] as number)),
      actions: record.actions.map(({ street, seat, kind, amount, fault }) => ({
        street,
        seat,
        action: memberOf(kind),
        amount,
        ...(fault !== undefined && { fault }),
      })),
      results: hand.deltas,
    };
  });
}

/** Describes one scenario: its hands, and for each seat the calls of its bot with the replies. */
async function describeScenario(scenario: Scenario, profile: Profile, python: string) {
  const played = await playScenario(scenario, profile);
  const calls = callsOf(python, played.seats);
  return {
    name: scenario.name,
    about: scenario.about,
    profile,
    seed: Buffer.from(played.setup.seed).toString('hex'),
    hands: handsOf(played),
    seats: played.seats.map(({ playerId, replies }, seat) => {
      const rest = [...replies];
      return {
        playerId,
        calls: (calls[seat] as [string, ...unknown[]][]).map(([method, ...given]) => {
          const reply = method === 'get_action' ? rest.shift() : undefined;
          return {
            method,
            arguments: given,
            ...(reply !== undefined && { returns: [memberOf(reply.kind), reply.amount] }),
            ...(reply?.late && { late: true }),
          };
        }),
      };
    }),
  };
}

export type ConformanceCase = Awaited<ReturnType<typeof describeScenario>>;

/** Plays all scenarios in all their profiles. `python`: a Python >= 3.10. */
export async function makeSuite(python: string) {
  const cases: ConformanceCase[] = [];
  for (const scenario of scenarios) {
    for (const profile of scenario.profiles) cases.push(await describeScenario(scenario, profile, python));
  }
  return { about, version: formatVersion, rulesVersion: RULES_VERSION, startingStack, bigBlind, cases };
}

/** Writes a value as JSON with one line for each call, action and plain value, so that a change shows as changed lines. */
export function formatSuite(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  const opened =
    typeof value === 'object' && value !== null && Object.values(value).some((part) => typeof part === 'object');
  if (!opened || indent.length >= 12) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => `${deeper}${formatSuite(part, deeper)}`)
    : Object.entries(value).map(([key, part]) => `${deeper}${JSON.stringify(key)}: ${formatSuite(part, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
