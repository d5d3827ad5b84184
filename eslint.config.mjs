// Type-aware rules that Biome lacks. Biome checks everything else (biome.json).
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const ignored = ['**/generated/**', '**/dist/**', 'services/lib/contracts/types/**', '.*/**', '**/*.config.ts'];

/** Returns the rules for the TypeScript files of these projects below `folder`. */
export const createLintConfig = (folder, projects) =>
  defineConfig(globalIgnores(ignored), {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: projects, tsconfigRootDir: folder },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'Write the properties themselves: spreading a literal only packs lines.',
        },
      ],
    },
  });

export default createLintConfig(import.meta.dirname, ['tsconfig.json', 'web/tsconfig.json', 'web/e2e/tsconfig.json']);
