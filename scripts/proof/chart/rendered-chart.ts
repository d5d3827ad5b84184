// The chart as Helm renders it, and its renderings in the repository.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  loadAllYaml,
  type V1Container,
  type V1EnvVar,
  type V1PodSpec,
  type V1PodTemplateSpec,
} from '@kubernetes/client-node';
import { findHelm, findOptional } from '../test/optional-program.ts';

export const root = join(import.meta.dirname, '../../..');
export const chart = join(root, 'charts/husky-holdem');
export const helm = findOptional(findHelm, 'REQUIRE_HELM');

export interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: V1PodTemplateSpec;
    readonly jobTemplate?: { readonly spec: { readonly template: V1PodTemplateSpec } };
  };
}

export const read = (file: string) => readFileSync(join(chart, file), 'utf8');
export const objectsOf = (golden: string) => loadAllYaml(read(`ci/golden-${golden}.yaml`)) as Rendered[];

/** Pod templates by kind and name. */
export function podsOf(golden: string): ReadonlyMap<string, V1PodTemplateSpec & { spec: V1PodSpec }> {
  return new Map(
    objectsOf(golden).flatMap(({ kind, metadata, spec }) => {
      const template = spec?.template ?? spec?.jobTemplate?.spec.template;
      if (!template?.spec) return [];
      // Names of Jobs end with a hash.
      return [[`${kind} ${metadata.name.replace(/(-1)?-[0-9a-f]{8}$/, '')}`, { ...template, spec: template.spec }]];
    }),
  );
}

export const variable = (container: V1Container | undefined, name: string): V1EnvVar | undefined =>
  container?.env?.find((one) => one.name === name);

export function template(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const command = ['template', 'husky', chart, '--kube-version', '1.34.0', ...args];
  const { status, stdout, stderr } = spawnSync(helm ?? '', command, { encoding: 'utf8', maxBuffer: 64 << 20 });
  return { status, output: stdout + stderr };
}
