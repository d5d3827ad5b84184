// Vitest's second global setup, after the platform's: one browser and one seeded world for all files.
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumOptions } from './chromium.ts';
import { buildWorld, type World } from './world.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    browserEndpoint: string;
    world: World;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { origin, adminPassword } = project.getProvidedContext().platform;
  const server = await chromium.launchServer(chromiumOptions());
  try {
    project.provide('browserEndpoint', server.wsEndpoint());
    project.provide('world', await buildWorld(origin, adminPassword));
  } catch (error) {
    await server.close();
    throw error;
  }
  return () => server.close();
}
