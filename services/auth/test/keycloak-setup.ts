import type { TestProject } from 'vitest/node';
import { startKeycloak } from '../../../scripts/keycloak/keycloak.ts';

export interface TestKeycloak {
  readonly url: string;
  readonly adminUser: string;
  readonly adminPassword: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    testKeycloak: TestKeycloak;
  }
}

/** Vitest's global setup of the suite in Keycloak mode: starts one Keycloak for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, adminUser, adminPassword, stop } = await startKeycloak();
  project.provide('testKeycloak', { url, adminUser, adminPassword });
  return stop;
}
