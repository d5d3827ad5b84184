import type { BotPin } from '@husky/contracts/types/submission/v1/BotPin';
import type { Submission as SubmissionMessage } from '@husky/contracts/types/submission/v1/Submission';
import type { Submission } from '../generated/client.ts';
import type { Pin } from '../store/pins.ts';

export function presentSubmission(submission: Submission): SubmissionMessage {
  return {
    id: submission.id,
    userId: submission.userId,
    createdAt: submission.createdAt.toISOString(),
    final: submission.final,
    playerFileId: submission.playerFileId,
    requirementsFileId: submission.requirementsFileId,
    botHash: submission.botHash,
  };
}

export function presentPin(pin: Pin): BotPin {
  return { userId: pin.userId, botHash: pin.botHash, requirementsHash: pin.requirementsHash };
}
