import { liveDataService, simulationService, submissionService } from '@husky/contracts/services';
import { Action } from '@husky/holdem/action';
import { Table } from '@husky/holdem/table';
import { encodeChunk } from '@husky/match/chunk';
import { deckFor } from '@husky/match/deck';
import { digestNext, digestStart } from '@husky/match/digest';
import { type HandRecord, recordHand } from '@husky/match/record';
import { RULES_VERSION } from '@husky/match/rules-version';
import { expectBotsContract } from '@husky/testkit/contracts';
import { expectDeliveryContract, expectLeaseContract } from '@husky/testkit/dealer-contract';
import { testClient } from '@husky/testkit/servers';
import { afterAll, expect, test } from 'vitest';
import { Services } from './services.ts';

const services = await Services.start();
afterAll(() => services.stop());

const portOf = (address: string) => Number(address.split(':')[1]);
const bots = Array<string>(6).fill('calling-station');

test('the double of simulation fulfils the contract that runners rely on', async () => {
  const client = testClient(simulationService, portOf(services.addresses.simulation), 'runner');
  await expectLeaseContract(client, () => services.order({ bots, hands: 10 }));
  client.close();
});

test('the double of submission fulfils the contract that runners rely on', async () => {
  const client = testClient(submissionService, portOf(services.addresses.submission), 'runner');
  const player = 'class SimplePlayer:\n    pass\n';
  await services.order({ bots: [player], hands: 1 });
  const simulation = testClient(simulationService, portOf(services.addresses.simulation), 'runner');
  const caller = { kind: 'runner', name: 'contract' } as const;
  const { assignment } = await simulation.claimMatch(
    { runner: caller.name, waitMs: 0, rulesVersion: RULES_VERSION },
    { caller },
  );
  const archive = Buffer.alloc(1200, 7);
  services.packages.set('packages', archive);
  await expectBotsContract(client, {
    bot: { hash: assignment?.seats?.[0]?.botHash ?? '', player: Buffer.from(player) },
    packages: { hash: 'packages', archive },
  });
  simulation.close();
  client.close();
});

test('the double of live-data fulfils the contract that runners rely on', async () => {
  const simulation = testClient(simulationService, portOf(services.addresses.simulation), 'runner');
  const liveData = testClient(liveDataService, portOf(services.addresses.liveData));
  await services.order({ bots, hands: 4 });
  const caller = { kind: 'runner', name: 'contract' } as const;
  const { assignment } = await simulation.claimMatch(
    { runner: caller.name, waitMs: 0, rulesVersion: RULES_VERSION },
    { caller },
  );
  if (!assignment?.blinds) throw new Error('there is no match');
  const { jobId, attempt, seed, startingStack, blinds, leaseToken: token } = assignment;
  const table = new Table({ rulesVersion: RULES_VERSION, players: 6, startingStack, blinds });
  let digest = digestStart(jobId, attempt);
  const chunks = [1, 2].map(() => {
    const { stacks, handNumber, ...last } = table.state;
    const hands: HandRecord[] = [];
    while (hands.length < 2) {
      const hand = table.startHand(deckFor(seed, table.handNumber + 1));
      while (!hand.over) hand.act(Action.CALL);
      const record = recordHand(
        hand,
        1_760_000_000_000,
        Array.from(hand.log.slice(2), () => ({ ms: 1 })),
      );
      digest = digestNext(digest, table.handNumber, record);
      table.finishHand(hand);
      hands.push(record);
    }
    return encodeChunk({
      rulesVersion: RULES_VERSION,
      firstHand: handNumber + 1,
      startStacks: stacks,
      ...last,
      hands,
    });
  });
  await expectDeliveryContract(liveData, { chunks, hands: 4, digest: digest.toString('hex'), lease: { token } });
  expect(services.attempts.get(jobId)?.reports).toHaveLength(1);
  simulation.close();
  liveData.close();
});
