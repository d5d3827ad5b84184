import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const PRELOADED_FONTS = /(vt323|ibm-plex-mono)-[46]00-[^/]*[.]woff2$/;

/** Preloads the fonts of the first paint under their hashed names, so that text does not shift when they arrive. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, context) =>
        Object.keys(context.bundle ?? {})
          .filter((file) => PRELOADED_FONTS.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

const VERIFIERS = ['verify_match.py', 'verify_batch.py'];
const readVerifier = (name: string) => readFileSync(join(import.meta.dirname, '../docs', name));

/** Serves the scripts at /verify_match.py and /verify_batch.py. They are not symbolic links in public/, because some checkouts do not keep links. */
function serveVerifier(): Plugin {
  return {
    name: 'serve-verifier',
    configureServer: ({ middlewares }) => {
      for (const name of VERIFIERS) {
        middlewares.use(`/${name}`, (_request, response) => response.end(readVerifier(name)));
      }
    },
    generateBundle() {
      for (const name of VERIFIERS) this.emitFile({ type: 'asset', fileName: name, source: readVerifier(name) });
    },
  };
}

/** Writes a .br and a .gz beside every text file of the build; the gateway serves them according to Accept-Encoding. */
function packFiles(): Plugin {
  return {
    name: 'pack-files',
    apply: 'build',
    closeBundle() {
      const folder = join(import.meta.dirname, 'dist');
      for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|json)$/.test(entry)) continue;
        const path = join(folder, entry);
        const bytes = readFileSync(path);
        if (bytes.length < 1024) continue;
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

const API_PREFIXES =
  '^/(auth|live|sim|submission|profile|user|leaderboard|admin|llm|docker|batches|players|kit|opt-out|healthz|readyz|openapi.json|app-config.json)(/|$|\\?)';

// What every page needs. Automatic splitting makes ten files of it, because some lazy pages need only parts.
const START =
  /node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack[\\/](react-query|query-core))[\\/]|web[\\/]src[\\/](lib[\\/](api|format|query-keys)|table[\\/]chips)[.]ts/;

const SITE = /web[\\/]src[\\/]/;
const RESULTS =
  /web[\\/]src[\\/](performance[\\/](results-graph|results-figure|series|lazy-plot|save-png)|components[\\/](downloads|data-exports|cite))[.]/;
const TOGETHER = { minShareCount: 2, includeDependenciesRecursively: false };
const SMALL = { ...TOGETHER, minShareCount: 5, maxModuleSize: 8000 };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadFonts(), serveVerifier(), packFiles()],
  // light-dark() must not be compiled away: the dark card table in a light page depends on it.
  // The gateway reads the manifest to load the code of a page together with the first script.
  build: {
    manifest: true,
    // The content security policy refuses fonts in a style sheet.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    target: 'es2022',
    // Every browser of cssTarget knows modulepreload.
    modulePreload: { polyfill: false },
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: START, priority: 2 },
            { name: 'shared', tags: ['$initial'], test: SITE, minShareCount: 2, priority: 1 },
            // Each file costs a request, so small modules that several pages share are in one file. Without what `shared` has.
            { name: 'table', test: /web[\\/]src[\\/]table[\\/]/, ...TOGETHER },
            { name: 'results', test: RESULTS, ...TOGETHER },
            { name: 'standings', test: /web[\\/]src[\\/]standings[\\/]/, ...TOGETHER },
            { name: 'pages', test: SITE, ...SMALL },
          ],
        },
        // The shared part of plotly would be named after its file, core.js.
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => /plotly[.]js[\\/]lib[\\/]core[.]js/.test(id))
            ? 'assets/plotly-[hash].js'
            : 'assets/[name]-[hash].js',
      },
    },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: {
      [API_PREFIXES]: {
        target: process.env.GATEWAY_URL ?? 'http://localhost:8080',
        // Pages and calls share paths; requests for HTML get the app.
        bypass: (request) =>
          request.headers.accept?.includes('text/html') && !/^\/(auth\/verify-email|opt-out)\//.test(request.url ?? '')
            ? '/index.html'
            : undefined,
      },
    },
  },
});
