// Generates the files that are not committed: types of the protobuf contracts, Prisma clients, the web's API types.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
const force = process.argv.includes('--force');

function newestChange(files: readonly string[]): number {
  return Math.max(0, ...files.map((file) => statSync(file).mtimeMs));
}

function isUpToDate(stamp: string, sources: readonly string[]): boolean {
  return !force && existsSync(stamp) && statSync(stamp).mtimeMs > newestChange(sources);
}

function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): void {
  const { status, stdout, stderr } = spawnSync(join(bin, command), args, {
    cwd,
    env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
}

function generateContracts(): void {
  const protoDir = join(root, 'proto');
  const protos = globSync('husky/**/*.proto', { cwd: protoDir }).sort();
  const sources = protos.map((file) => join(protoDir, file));
  const outDir = join(root, 'services/lib/contracts/types');
  const stamp = join(outDir, '.stamp');
  if (isUpToDate(stamp, [...sources, import.meta.filename])) return;
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  run(
    'proto-loader-gen-types',
    [
      '--longs=Number',
      '--enums=String',
      '--defaults',
      '--oneofs',
      '--grpcLib=@grpc/grpc-js',
      '--importFileExtension=.ts',
      '--includeDirs',
      protoDir,
      `--outDir=${outDir}`,
      ...protos,
    ],
    root,
  );
  writeFileSync(stamp, '');
}

function generatePrismaClients(): void {
  for (const schema of globSync('services/*/prisma/schema.prisma', { cwd: root })) {
    const service = join(root, dirname(dirname(schema)));
    const stamp = join(service, 'src/generated/.stamp');
    if (isUpToDate(stamp, [join(root, schema), import.meta.filename])) continue;
    // The client is WASM: do not search for a native engine.
    run('prisma', ['generate', `--schema=${join(root, schema)}`], service, {
      PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    });
    writeFileSync(stamp, '');
  }
}

/** Generates the web's API types from the OpenAPI description. Types are checked with `make tools`, which installs the generator. */
async function generateApiTypes(): Promise<void> {
  const sources = ['gateway/src/**/*.ts', 'services/lib/{contracts,match,estimate}/src/**/*.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => join(root, file));
  const target = join(root, 'web/src/lib/generated/api.ts');
  if (isUpToDate(target, [...sources, import.meta.filename])) return;
  if (!existsSync(join(root, 'node_modules/openapi-typescript'))) return;
  const [{ apiRoutes }, { openApi }, { default: openapiTs, astToString }] = await Promise.all([
    import('../gateway/src/routes/all.ts'),
    import('../gateway/src/http/openapi.ts'),
    import('openapi-typescript'),
  ]);
  const document = openApi(apiRoutes({}, { metricsText: async () => '' }), 'http://localhost:8080');
  const types = astToString(await openapiTs(JSON.stringify(document), { alphabetize: true, rootTypes: true }));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, types);
}

/** Writes docs/variables.csv, which is committed. */
async function writeVariables(): Promise<void> {
  const { variablesTable } = await import('@husky/runtime/process/variables');
  const file = join(root, 'docs/variables.csv');
  // Images are built without the documents.
  if (!existsSync(file)) return;
  const table = variablesTable();
  if (readFileSync(file, 'utf8') !== table) writeFileSync(file, table);
}

generateContracts();
generatePrismaClients();
await generateApiTypes();
await writeVariables();
