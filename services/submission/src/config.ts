import { resolve } from 'node:path';
import { backendSettings, readPart, readSecret } from '@husky/runtime/process/config';

/** uv's names of the runners' platform, by architecture. */
const platforms: Readonly<Record<string, string>> = {
  x64: 'x86_64-manylinux_2_28',
  arm64: 'aarch64-manylinux_2_28',
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
  const values = readPart('submission', env);
  const childEnvironment = Object.fromEntries(
    inheritedVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return {
    ...values,
    childEnvironment,
    ...backendSettings('submission', values),
    runnerPlatform: platforms[process.arch] ?? 'x86_64-manylinux_2_28',
    houseBotsDir: resolve(import.meta.dirname, '../../runner/bots'),
    /** Time after which an upload fails with 503 while its packages are still being prepared; the preparation continues. */
    uploadAnswerMs: 20_000,
    /** Time limit of resolving, and of installing. */
    resolveTimeoutMs: 90_000,
    fileLinkKey: readSecret(values.FILE_LINK_KEY_FILE),
  };
}

export type Config = ReturnType<typeof readConfig>;
