import { DomainError } from '@husky/runtime/errors';

export const minimumSize = 3;

/** Throws FAILED_PRECONDITION for a size that the fleet may not have. */
export function checkTarget(target: number, maxSize: number): void {
  if (target < minimumSize) {
    throw new DomainError('FAILED_PRECONDITION', 'pool-too-small', `Target size must be at least ${minimumSize}`);
  }
  if (target > maxSize) {
    throw new DomainError('FAILED_PRECONDITION', 'pool-too-large', `Target size must be at most ${maxSize}`);
  }
}
