import { expect, it } from 'vitest';
import { metadataTemplate, metadataWarnings } from './metadata-editor.tsx';

const users = ['ann', 'bob'];
const complete = {
  model: { name: 'model-x', version: '2', provider: 'Example' },
  prompt: 'Win.',
  cost_usd: 1.5,
  created_on: '2026-11-01',
};

it('accepts complete entries and free metadata without bots', () => {
  expect(metadataWarnings({ bots: { ann: complete, bob: { model: { name: 'y' } } } }, users)).toEqual([]);
  expect(metadataWarnings({ batch_number: 7, anything: [1] }, users)).toEqual([]);
});

it('names each part that differs', () => {
  const bots = {
    ann: { model: { name: 'x', version: 2 }, prompt: '', cost_usd: -1, created_on: '1 May' },
    bob: { prompt: 'Win.' },
    cem: complete,
  };
  expect(metadataWarnings({ bots }, users)).toEqual([
    'model.version of ann is not a text.',
    'prompt of ann is not a text.',
    'cost_usd of ann is not a number from 0.',
    'created_on of ann is not a day such as 2026-11-01.',
    'The entry of bob has no model.name.',
    'cem does not play in this batch.',
  ]);
  expect(metadataWarnings({ bots: [] }, users)).toEqual(['bots is not an object with an entry for each user.']);
  expect(metadataWarnings({ bots: { ann: 1 } }, users)).toEqual(['The entry of ann is not an object.']);
});

it('adds what is missing and keeps what is there', () => {
  const { bots, ...rest } = metadataTemplate({ batch_number: 7, bots: { ann: complete } }, users);
  expect(rest).toEqual({ batch_number: 7 });
  expect(bots).toMatchObject({ ann: complete, bob: { model: { name: '' } } });
});
