import { DomainError } from '@husky/runtime/errors';

/** Two admins who press the same button at once want the same thing: the second one does not undo it. */
export function refuseWhenSo(is: boolean, wanted: boolean | null | undefined, sentence: string): void {
  if (wanted === is) throw new DomainError('ABORTED', 'already-so', sentence);
}
