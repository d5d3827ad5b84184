import { expect, it } from 'vitest';
import { Hand } from '../src/hand.ts';
import type { HandSetup } from '../src/hand-setup.ts';

const setup: HandSetup = {
  stacks: [100, 100, 0],
  button: 0,
  smallBlindSeat: 0,
  bigBlindSeat: 1,
  smallBlind: 5,
  bigBlind: 10,
  deck: Array.from({ length: 17 }, (_, card) => card),
};

it.each<[string, Partial<HandSetup>, string]>([
  ['one seat', { stacks: [100] }, '2 to 6 seats'],
  ['seven seats', { stacks: new Array<number>(7).fill(100) }, '2 to 6 seats'],
  ['a negative stack', { stacks: [100, 100, -1] }, 'stacks are whole numbers'],
  ['a fraction of a chip in a stack', { stacks: [100, 100, 0.5] }, 'stacks are whole numbers'],
  ['no small blind', { smallBlind: 0 }, 'blinds are whole numbers'],
  ['a small blind of half a chip', { smallBlind: 2.5 }, 'blinds are whole numbers'],
  ['a big blind of half a chip', { bigBlind: 10.5 }, 'blinds are whole numbers'],
  ['a small blind above the big blind', { smallBlind: 11 }, 'the small one at most the big one'],
  ['a deck without a river', { deck: new Array<number>(16).fill(0) }, 'the deck is too short'],
  ['a single player', { stacks: [100, 0, 0] }, 'a hand has two players or more'],
  ['a button at a seat that does not exist', { button: 3 }, 'there is no seat 3'],
  ['a small blind at a seat that does not exist', { smallBlindSeat: -1 }, 'there is no seat -1'],
  ['a big blind at a seat that does not exist', { bigBlindSeat: 3 }, 'there is no seat 3'],
  ['a big blind without chips', { bigBlindSeat: 2 }, 'seat 2 has no chips for the big blind'],
  ['both blinds on one seat', { smallBlindSeat: 1 }, 'both blinds are on one seat'],
])('refuses to deal a hand with %s', (_, patch, problem) => {
  expect(() => new Hand({ ...setup, ...patch })).toThrow(problem);
});

it.each<[string, Partial<HandSetup>]>([
  ['the smallest deck, with a seat without chips', {}],
  ['two seats of one chip and equal blinds of 1', { stacks: [1, 1], smallBlind: 1, bigBlind: 1 }],
  ['six seats', { stacks: new Array<number>(6).fill(100) }],
])('deals a hand with %s', (_, patch) => {
  expect(new Hand({ ...setup, ...patch }).log).toHaveLength(2);
});
