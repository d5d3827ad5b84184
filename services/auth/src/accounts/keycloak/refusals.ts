import { DomainError } from '@husky/runtime/errors';

export function roleFromGroup(username: string): DomainError {
  const message = `${username} is an admin through a group or another role in Keycloak: change it there`;
  return new DomainError('FAILED_PRECONDITION', 'role-from-group', message);
}

export function emailChanged(): DomainError {
  const message = 'The e-mail address of this account has been changed meanwhile. Please ask for a new link';
  return new DomainError('FAILED_PRECONDITION', 'email-changed', message);
}
