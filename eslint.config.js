import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const OUTBOUND = 'Requests to other servers go through src/lib/http, which keeps them off private addresses.';
const ENVIRONMENT = 'The environment is read once, by src/config; take settings as arguments.';

const GLOBAL_FETCH = { object: 'globalThis', property: 'fetch', message: OUTBOUND };

/** Ways to other servers that nobody takes but src/lib/http. */
const outboundModules = [
  ...['http', 'https', 'node:http', 'node:https'].map((name) => ({
    name,
    importNames: ['default', 'get', 'request'],
  })),
  ...['http2', 'node:http2', 'undici'].map((name) => ({ name, allowTypeImports: true })),
].map((path) => ({ ...path, message: OUTBOUND }));
/** Layers of `src`, from bottom to top; test/suites/house.spec.ts checks them too. */
const LAYERS = ['lib', 'config', 'platform', 'workflows', 'modules'];
const above = (layer) => ({
  regex: `^(\\.\\./)+(${LAYERS.slice(LAYERS.indexOf(layer) + 1).join('|')})/`,
  message: 'Imports point down: lib < config < platform < workflows < modules.',
});

/** What the program's own code may import; `patterns` adds to it. */
const imports = (...patterns) => ['error', { paths: outboundModules, patterns }];

export default tseslint.config(
  // What compiles for devices is AssemblyScript.
  globalIgnores([
    ...['dist', 'coverage', 'var', 'src/migrations/*-*.ts'],
    ...['src/workflows/embedded/runtime', 'src/workflows/nodes/*/wasm'],
  ]),
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': [
        'error',
        GLOBAL_FETCH,
        { object: 'process', property: 'env', message: ENVIRONMENT },
      ],
      'prefer-const': ['error', { destructuring: 'all' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // Routes and constructors are functions of any kind to those who look at their metadata.
      '@typescript-eslint/no-unsafe-function-type': 'off',
      '@typescript-eslint/no-restricted-imports': imports(),
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Methods that keep an interface's promise, and callbacks that a library awaits, need no await of their own.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*spec.ts', 'src/lib/http/**'],
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: OUTBOUND }] },
  },
  ...LAYERS.slice(0, -1).map((layer) => ({
    files: [`src/${layer}/**/*.ts`],
    ignores: ['**/*spec.ts', 'src/lib/http/**'],
    rules: { '@typescript-eslint/no-restricted-imports': imports(above(layer)) },
  })),
  {
    files: ['src/lib/http/**/*.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [above('lib')] }] },
  },
  {
    files: ['**/*spec.ts', 'test/**/*.ts', 'bench/**/*.ts', 'faults/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': 'off',
      // Answers are JSON, which the test client has already held to the document.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: [
      'src/config/**',
      'src/main.ts',
      'src/cli/**',
      '**/*spec.ts',
      'test/**',
      'bench/**',
      'faults/**',
      'ormconfig.ts',
    ],
    rules: { 'no-restricted-properties': ['error', GLOBAL_FETCH] },
  },
);
