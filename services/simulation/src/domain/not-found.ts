import { DomainError } from '@husky/runtime/rpc/errors';

export const jobNotFound = () => new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
export const batchNotFound = () => new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
