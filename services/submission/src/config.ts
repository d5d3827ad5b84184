import { resolve } from 'node:path';
import { backendSettings, backendVariables, readSecret, readVariables } from '@husky/runtime/config';
import { urlVariables } from '@husky/runtime/url-variables';
import { z } from 'zod';
import { schema } from './store/database.ts';

const root = resolve(import.meta.dirname, '../../..');
const platforms: Readonly<Record<string, string>> = {
  x64: 'x86_64-manylinux_2_28',
  arm64: 'aarch64-manylinux_2_28',
};

const variables = {
  ...backendVariables,
  /** Interpreter for the static check and for uv. */
  PYTHON: z.string().default('python3'),
  UV: z.string().default('uv'),
  /** Simple index of wheels; default: uv's own. */
  PACKAGE_INDEX_URL: urlVariables.PACKAGE_INDEX_URL.optional(),
  /** The runners' Python, major.minor, and uv's name of their platform. */
  RUNNER_PYTHON: z
    .string()
    .regex(/^3\.\d+$/)
    .default('3.11'),
  RUNNER_PLATFORM: z.string().default(platforms[process.arch] ?? 'x86_64-manylinux_2_28'),
  HOUSE_BOT_DIR: z.string().default(resolve(root, 'services/runner/bots/house')),
  FILE_LINK_KEY_FILE: z.string(),
  /** Folder in which packages are unpacked before they are stored; emptied at start. */
  WORK_DIR: z.string(),
  // Quotas until simulation has published the event's settings.
  MAX_SUBMISSIONS: z.coerce.number().int().min(1).default(5),
  MAX_UPLOADS_A_DAY: z.coerce.number().int().min(1).default(100),
  /** Time after which an upload fails with 503 while its packages are still being prepared; the preparation continues. */
  UPLOAD_ANSWER_MS: z.coerce.number().int().min(100).default(20_000),
  RESOLVE_TIMEOUT_MS: z.coerce.number().int().min(1000).default(90_000),
};

/** Variables that child processes inherit, to reach the index. They get no other variable. */
const inheritedVariables = [
  'PATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
];

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readVariables(variables, env);
  const childEnvironment = Object.fromEntries(
    inheritedVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return {
    ...values,
    childEnvironment,
    ...backendSettings(values, schema),
    fileLinkKey: readSecret(values.FILE_LINK_KEY_FILE),
  };
}

export type Config = ReturnType<typeof readConfig>;
