import { createHash, randomUUID } from 'node:crypto';
import type { SubmissionServiceDefinition } from '@husky/contracts/types/submission/v1/SubmissionService';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';

type Pins = Pick<
  RpcClient<SubmissionServiceDefinition>,
  'stageBot' | 'pinHouse' | 'pinUpload' | 'pinFinals' | 'preparePackages' | 'releasePins'
>;

export interface PinnedUsers {
  /** Users with a final submission without requirements. */
  readonly withFinal: readonly string[];
  readonly withoutFinal: string;
  /** A ready submission, and its user. */
  readonly upload: { readonly submissionId: string; readonly userId: string };
  /** A player.py that submission accepts. */
  readonly player: string;
}

const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
const noRequirements = createHash('sha256').digest('hex');

/**
 * Asserts the behaviour of submission on which simulation relies: pins have the hashes of the bot's files, finals are pinned in the order
 * of the request, all or none, and pins are released idempotently. Used with submission itself and with simulation's double of it.
 */
export async function expectPinsContract(submission: Pins, { withFinal, withoutFinal, upload, player }: PinnedUsers) {
  const holderId = randomUUID();
  const userId = randomUUID();
  const files = { playerFile: Buffer.from(player), requirementsFile: Buffer.alloc(0) };
  const empty = { ...files, playerFile: Buffer.alloc(0) };
  await expect(submission.stageBot({ holderId, userId, files: empty })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'bot-invalid',
  });
  const staged = await submission.stageBot({ holderId, userId, files });
  expect(staged).toEqual({ userId, botHash: sha256, requirementsHash: noRequirements, warnings: [], nonce: '' });
  expect(await submission.stageBot({ holderId: randomUUID(), userId, files })).toEqual(staged);
  const house = await submission.pinHouse({ holderId });
  expect(house).toMatchObject({ userId: '00000000-0000-8000-8000-000000000001', botHash: sha256 });
  expect(house.botHash).not.toBe(staged.botHash);
  const userId2 = '00000000-0000-8000-8000-000000000014';
  const filling = await submission.pinHouse({ holderId, userId: userId2 });
  expect(filling).toMatchObject({ userId: userId2, botHash: sha256 });
  expect(filling.botHash).not.toBe(house.botHash);

  const { submissionId } = upload;
  const { pin, uploadedAt } = await submission.pinUpload({ holderId, submissionId });
  expect(pin).toMatchObject({ userId: upload.userId, botHash: sha256, requirementsHash: noRequirements });
  expect(new Date(uploadedAt).toISOString()).toBe(uploadedAt);
  expect((await submission.pinUpload({ holderId, submissionId, userId: upload.userId })).pin).toEqual(pin);
  for (const request of [{ submissionId: holderId }, { submissionId, userId: randomUUID() }])
    await expect(submission.pinUpload({ holderId, ...request })).rejects.toMatchObject({ code: 'NOT_FOUND' });

  const missing = await submission.pinFinals({ holderId, userIds: [...withFinal, withoutFinal] });
  expect(missing).toEqual({ pins: [], missingUserIds: [withoutFinal] });
  const { pins, missingUserIds } = await submission.pinFinals({ holderId, userIds: [...withFinal] });
  expect([pins.map((pin) => pin.userId), missingUserIds]).toEqual([withFinal, []]);
  for (const pin of pins) expect(pin).toMatchObject({ botHash: sha256, requirementsHash: noRequirements });

  for (const botHash of [staged.botHash, house.botHash]) {
    expect(await submission.preparePackages({ botHash })).toEqual({ packagesHash: '' });
  }
  const unknown = submission.preparePackages({ botHash: '0'.repeat(64) });
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND', reason: 'bot-not-found' });
  for (const holder of [holderId, holderId, randomUUID()]) {
    expect(await submission.releasePins({ holderId: holder })).toEqual({});
  }
}
