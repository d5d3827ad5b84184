import { DomainError } from '@husky/runtime/rpc/errors';

export const submissionNotFound = () => new DomainError('NOT_FOUND', 'submission-not-found', 'Submission not found');
export const fileNotFound = () => new DomainError('NOT_FOUND', 'file-not-found', 'File not found');
