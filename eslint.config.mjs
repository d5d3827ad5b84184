// Type-aware rules that Biome lacks. Biome checks everything else (biome.json).
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const ignored = ['**/generated/**', '**/dist/**', 'services/lib/contracts/types/**', '.*/**', '**/*.config.ts'];

// A statement names its parameters in place: `sql` of @husky/runtime/database/sql.
const numbered = (before) => `:matches(Literal[value=/${before}[$][1-9]/], TemplateElement[value.raw=/${before}[$][1-9]/])`;
const useSql = 'Write SQL as sql`… ${value}` of @husky/runtime/database/sql, for node-postgres and for Prisma.';

const packedElements = {
  selector: ':matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement > ArrayExpression',
  message: 'Write the elements themselves: spreading a literal only packs lines.',
};
const refusedSyntax = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties themselves: spreading a literal only packs lines.',
  },
  packedElements,
  {
    selector: `${numbered('\\b(SELECT|INSERT|UPDATE|DELETE)\\b[^]*')}, CallExpression[callee.property.name=/^query$|Unsafe$/] ${numbered('')}`,
    message: `Positional parameters ($1) are miscounted easily. ${useSql}`,
  },
  {
    selector: 'MemberExpression[object.name=Prisma][property.name=/^(sql|raw|join|empty)$/]',
    message: useSql,
  },
  {
    selector: 'TaggedTemplateExpression[tag.property.name=/^[$](query|execute)Raw$/]',
    message: `${useSql} Prisma would take a nested part for a value.`,
  },
];

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
      'no-restricted-syntax': ['error', ...refusedSyntax],
    },
  });

export default [
  ...createLintConfig(import.meta.dirname, ['tsconfig.json', 'web/tsconfig.json', 'web/e2e/tsconfig.json']),
];
