import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import type { RpcClient, RpcOptions } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';

type Names = Pick<RpcClient<AuthServiceDefinition>, 'getNames'>;

/**
 * Asserts the behaviour of auth on which simulation relies: GetNames returns each known id once with its name, in any order, and omits
 * malformed ids. Used with auth itself and with simulation's double of it.
 */
export async function expectNamesContract(
  auth: Names,
  users: readonly { readonly id: string; readonly username: string }[],
  options?: RpcOptions,
): Promise<void> {
  const ids = users.map(({ id }) => id);
  const { names } = await auth.getNames({ ids: [...ids, ...ids, 'no id'] }, options);
  const found = names.map(({ id, username }) => ({ id, username }));
  expect(found).toHaveLength(users.length);
  expect(found).toEqual(expect.arrayContaining([...users]));
  expect(await auth.getNames({ ids: [] }, options)).toEqual({ names: [] });
}
