import type { V1Lease } from '@kubernetes/client-node';

/** The leases of an API server: creates, reads and replaces them by version. */
export class LeaseStore {
  readonly #leases = new Map<string, V1Lease>();
  #version = 0;

  /** Returns the holder's identity; '' without one. */
  get holder(): string {
    return [...this.#leases.values()][0]?.spec?.holderIdentity ?? '';
  }

  handle(method: string, name: string | undefined, body: V1Lease): { code: number; body: object } {
    const key = name ?? body.metadata?.name ?? '';
    const known = this.#leases.get(key);
    if (method === 'GET')
      return known === undefined ? refused(404, `leases "${key}" not found`) : { code: 200, body: known };
    if (method === 'POST' && known !== undefined) return refused(409, `leases "${key}" already exists`);
    if (method === 'PUT' && body.metadata?.resourceVersion !== known?.metadata?.resourceVersion) {
      return refused(409, 'the object has been modified');
    }
    this.#version += 1;
    const stored = { ...body, metadata: { ...body.metadata, name: key, resourceVersion: `l${this.#version}` } };
    this.#leases.set(key, stored);
    return { code: method === 'POST' ? 201 : 200, body: stored };
  }
}

function refused(code: number, message: string): { code: number; body: object } {
  return { code, body: { kind: 'Status', status: 'Failure', message, code } };
}
