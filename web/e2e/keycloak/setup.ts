// Vitest's second global setup of the Keycloak suite, after the platform's: one browser, and access to Keycloak's admin API.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumOptions } from '../chromium.ts';

export interface KeycloakAccess {
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  readonly adminUser: string;
  readonly adminPassword: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    keycloak: KeycloakAccess;
  }
}

interface Settings {
  readonly identity: string;
  readonly keycloak?: { readonly url: string; readonly realm: string; readonly clientId: string };
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { origin, dataDir } = project.getProvidedContext().platform;
  const { identity, keycloak } = (await (await fetch(`${origin}/app-config.json`)).json()) as Settings;
  if (identity !== 'keycloak' || !keycloak) throw new Error(`the platform's identity is ${identity}, not keycloak`);
  const adminPassword = readFileSync(join(dataDir, 'secrets/keycloak-admin'), 'utf8').trim();
  const server = await chromium.launchServer(chromiumOptions());
  project.provide('browserEndpoint', server.wsEndpoint());
  project.provide('keycloak', { ...keycloak, adminUser: 'keycloak-admin', adminPassword });
  return () => server.close();
}
