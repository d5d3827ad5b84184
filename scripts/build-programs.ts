// Bundles the programs of `make up` into .build/: a start reads few files instead of two thousand, and a process keeps less code in memory.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';

const root = join(import.meta.dirname, '..');
const target = join(root, '.build');
/** Lists the source files of the build by their path in the repository. */
const stamp = join(target, 'sources.json');

/** Not bundled: packages with native parts, and a large one that `make up` does not load. */
const external = [/^node:/, '@node-rs/argon2', '@resvg/resvg-js', '@kubernetes/client-node'];

/** Bundles the supervisor and every program that it starts, unless no source is newer than the build. Returns the supervisor's file. */
export async function buildPrograms(): Promise<string> {
  if (!isUpToDate()) await build();
  return join(target, 'supervisor.js');
}

function isUpToDate(): boolean {
  try {
    const builtMs = statSync(stamp).mtimeMs;
    const sources = JSON.parse(readFileSync(stamp, 'utf8')) as string[];
    return sources.every((file) => statSync(join(root, file)).mtimeMs < builtMs);
  } catch {
    return false; // There is no build, or a source is gone.
  }
}

async function build(): Promise<void> {
  // Loaded only here, because it takes longer than the check.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(root, 'scripts/up/supervisor.ts'),
    platform: 'node',
    external,
    plugins: [keepPlaces, wasmAsFile, sparseGraph, saveMemory],
    // Packages use eval in ways that bundling does not change.
    checks: { eval: false },
  });
  const stage = join(root, `.build-${process.pid}`);
  try {
    const { output } = await bundle.write({
      dir: stage,
      format: 'esm',
      entryFileNames: '[name].js',
      assetFileNames: '[name]-[hash].[ext]',
      codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, entriesAware: true }] },
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      comments: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    const own = output
      .flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
      .filter((id) => id.startsWith(`${root}/`) && !id.includes('/node_modules/'))
      .map((id) => relative(root, id));
    replaceBuild(stage);
    writeFileSync(stamp, JSON.stringify([...own, 'scripts/build-programs.ts', 'package-lock.json']));
  } finally {
    await bundle.close();
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Replaces the build file by file, programs after what they load: a platform that runs can restart its services at any time. */
function replaceBuild(stage: string): void {
  mkdirSync(target, { recursive: true });
  const isLoaded = (file: string) => /-[\w-]{8}\.(wasm|js(\.map)?)$/.test(file);
  const files = readdirSync(stage).sort((a, b) => Number(isLoaded(b)) - Number(isLoaded(a)));
  for (const file of files) renameSync(join(stage, file), join(target, file));
  for (const old of readdirSync(target)) if (!files.includes(old)) rmSync(join(target, old), { force: true });
}

/**
 * Keeps the meaning of `import.meta` in our modules: paths are relative to the source, and `new URL('….ts', import.meta.url)`, a thread or
 * another program, becomes a program of the build.
 */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { id: { include: /\.ts$/, exclude: /node_modules/ }, code: /import\.meta\.(dirname|url)/ },
    handler(code, id) {
      const place = (path: string) => JSON.stringify(`/${relative(target, path)}`);
      const kept = code
        .replaceAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (_, path: string) => {
          const program = join(dirname(id), path);
          const fileName = basename(program.replace(/(\/src\/main)?\.ts$/, '.js'));
          return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: program, fileName })})`;
        })
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${place(dirname(id))})`)
        .replaceAll('import.meta.url)', `new URL('.' + ${place(id)}, import.meta.url).href)`);
      // No line moves.
      return { code: kept, map: null };
    },
  },
};

/**
 * Prisma's query compiler becomes a file of its own: as base64 in a module it stays in memory twice, in the source and as its constant.
 * Prisma gives the value to `Buffer.from`, which takes the bytes of an object's `valueOf`.
 */
const wasmAsFile: Plugin = {
  name: 'wasm-as-file',
  transform: {
    filter: { id: /\.wasm-base64\.mjs$/ },
    async handler(_, id) {
      const { wasm } = (await import(id)) as { wasm: string };
      const file = this.emitFile({ type: 'asset', name: 'query-compiler.wasm', source: Buffer.from(wasm, 'base64') });
      return {
        code:
          `import { readFileSync } from 'node:fs';\n` +
          `export const wasm = { valueOf: () => readFileSync(new URL(import.meta.ROLLUP_FILE_URL_${file})) };`,
        map: null,
      };
    },
  },
};

/**
 * Prisma's graph of a schema is of objects with few and large numbers as keys. V8 makes each an array of up to 8 KiB, 6 MiB in simulation;
 * a larger number makes it a table of its keys.
 */
const sparseGraph: Plugin = {
  name: 'sparse-graph',
  transform: {
    filter: { id: /@prisma\/client\/runtime\/client\.m?js$/ },
    handler: (code) => ({
      code: code.replaceAll(/(?<=let \w=this\.#\w\(\),\w=)\{\}(?=;for\()/g, '{1e9:void 0}'),
      map: null,
    }),
  },
};

/**
 * V8 stores a source with a character outside of Latin-1 in twice the bytes. Node keeps source maps, 0.2 KiB for each place: those of
 * packages help nobody, and of our sources the lines are enough.
 */
const saveMemory: Plugin = {
  name: 'save-memory',
  async generateBundle(_, files) {
    for (const [name, file] of Object.entries(files)) {
      if (/^packages.*\.map$/.test(name)) delete files[name];
      else if (file.type === 'asset' && name.endsWith('.map')) file.source = await onlyLines(String(file.source));
      if (file.type !== 'chunk') continue;
      file.code = file.code
        .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replace(/\/\/# sourceMappingURL=packages.*/, '');
    }
  },
};

/** Keeps of each line of a source the first place in a row. */
async function onlyLines(sourceMap: string): Promise<string> {
  // Loaded only here, because most starts build nothing.
  const { decode, encode } = await import('@jridgewell/sourcemap-codec');
  const map = JSON.parse(sourceMap) as { mappings: string };
  const lines = decode(map.mappings).map((places) =>
    places.filter(([, source, line], i) => source !== places[i - 1]?.[1] || line !== places[i - 1]?.[2]),
  );
  return JSON.stringify({ ...map, mappings: encode(lines) });
}
