import { DomainError } from '@husky/runtime/errors';

export const jobNotFound = () => new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
export const batchNotFound = () => new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
