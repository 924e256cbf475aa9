import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { plainComments } from './eslint/plain-comments.js';

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
/** Tests beside the code, and what families keep for suites over the whole API. */
const TESTS = ['**/*spec.ts', '**/*.{samples,published}.ts'];

/** What the page of the API document uses. */
const BROWSER_GLOBALS = [
  ...['document', 'fetch', 'FormData', 'location', 'matchMedia', 'sessionStorage'],
  'SwaggerUIBundle',
];

/** Layers of `src`, from bottom to top; test/suites/house.spec.ts checks them too. */
const LAYERS = ['lib', 'config', 'platform', 'workflows', 'modules', 'broker', 'sites'];
const above = (layer) => ({
  regex: `^(\\.\\./)+(${LAYERS.slice(LAYERS.indexOf(layer) + 1).join('|')})/`,
  message: 'Imports point down: lib < config < platform < workflows < modules < broker < sites.',
});

/** Import restrictions for the program's own code; `patterns` adds to them. */
const imports = (...patterns) => ['error', { paths: outboundModules, patterns }];

export default tseslint.config(
  globalIgnores([
    ...['dist', 'coverage', 'var', 'src/migrations/1795268710078-Workflows.ts'],
    // The runtime for devices is AssemblyScript.
    ...['src/workflows/embedded/runtime', 'src/workflows/nodes/*/wasm'],
    // These programs compile only beside the clients that their suite generates.
    'test/suites/clients/**',
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
      // Code that reads the metadata of routes and constructors accepts functions of any type.
      '@typescript-eslint/no-unsafe-function-type': 'off',
      '@typescript-eslint/no-restricted-imports': imports(),
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Methods that implement an asynchronous interface, and callbacks that a library awaits, need no `await`
      // themselves.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/openapi/page/*.js'],
    languageOptions: { globals: Object.fromEntries(BROWSER_GLOBALS.map((name) => [name, 'readonly'])) },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,js}', 'test/**/*.ts', 'demo/**/*.ts'],
    plugins: { house: { rules: { 'plain-comments': plainComments } } },
    rules: { 'house/plain-comments': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [...TESTS, 'src/lib/http/**'],
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: OUTBOUND }] },
  },
  ...LAYERS.slice(0, -1).map((layer) => ({
    files: [`src/${layer}/**/*.ts`],
    ignores: [...TESTS, 'src/lib/http/**'],
    rules: { '@typescript-eslint/no-restricted-imports': imports(above(layer)) },
  })),
  {
    files: ['src/lib/http/**/*.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [above('lib')] }] },
  },
  {
    files: [...TESTS, 'test/**/*.ts', 'bench/**/*.ts', 'faults/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': 'off',
      // Responses are JSON that the test client has already validated against the OpenAPI document.
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
      'src/agent/main.ts',
      'src/cli/**',
      ...TESTS,
      'test/**',
      'bench/**',
      'demo/**',
      'faults/**',
      'ormconfig.ts',
    ],
    rules: { 'no-restricted-properties': ['error', GLOBAL_FETCH] },
  },
);
