import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartOptions } from './part.ts';

/**
 * Writes the metrics endpoints of the services to `monitoring/targets.json` in the data folder, for file_sd_configs of Prometheus
 * (docs/observability.md).
 */
export function writeTargets(dataDir: string, parts: readonly Pick<PartOptions, 'name' | 'opsAddress'>[]): void {
  const folder = join(dataDir, 'monitoring');
  // Other users must not read the data folder; Prometheus runs as the same user or in its group.
  mkdirSync(folder, { recursive: true, mode: 0o750 });
  chmodSync(folder, 0o750);
  const targets = parts.map(({ name, opsAddress }) => ({
    targets: [opsAddress],
    labels: { service: `husky-${name}`, namespace: 'husky' },
  }));
  // Prometheus may read the file at any time, so it is replaced atomically.
  const temporary = join(folder, '.targets.json');
  writeFileSync(temporary, `${JSON.stringify(targets, null, 2)}\n`, { mode: 0o640 });
  renameSync(temporary, join(folder, 'targets.json'));
}

/** Returns the variables for OpenTelemetry's libraries, which are passed to every part. */
export function openTelemetryVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (name.startsWith('OTEL_') && value ? [[name, value]] : [])),
  );
}
