import { commitmentOf, publicInput } from '@husky/match/commitment';
import type { GameData } from '@husky/match/game-data';
import { gameJson } from '@husky/match/game-json';
import { publishedHandOf } from '@husky/match/published-hand';
import { RULES_VERSION } from '@husky/match/rules-version';
import { MatchVerifier } from '@husky/match/verify-match';
import { expect, test } from 'vitest';
import { playMatch } from '../../test/play.ts';
import { matchOf, newMatch } from '../../test/simulation.ts';
import { playedHands, readChunk } from './record.ts';

test.each([
  ['with faults', 6, false, 'carry'],
  ['in which players lose all chips', 6, true, 'carry'],
  ['whose stacks are reset for each hand', 6, true, 'reset'],
  ['of two players', 2, true, 'carry'],
] as const)('anybody can verify the game data of a match %s', (_, players, wild, stacks) => {
  const match = newMatch({ numRounds: 300, playerIds: newMatch().playerIds.slice(0, players), stacks });
  const { numRounds: hands, blinds, playerIds, seed, jobId } = match;
  const play = playMatch(match, { wild });
  const facts = {
    hands,
    blinds,
    seed,
    stacks,
    rulesVersion: RULES_VERSION,
    startingStack: 10_000,
    profile: 'documented',
    roster: playerIds.map((userId) => ({ userId, botHash: '', packagesHash: '' })),
  };
  const verifier = new MatchVerifier({
    jobId,
    commitment: commitmentOf(facts),
    publicInput: publicInput(facts),
    seed: seed.toString('hex'),
    record: null,
    seedProof: null,
  });
  let number = 0;
  for (const { bytes } of play.chunks) {
    for (const hand of playedHands(matchOf(match), readChunk(bytes), () => false)) {
      number += 1;
      verifier.verifyHand(publishedHandOf(JSON.parse(gameJson(jobId, hand)) as GameData, number));
    }
  }
  expect(verifier.finish().hands).toBe(play.records.length);
});
