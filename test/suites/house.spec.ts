import { readFileSync } from 'node:fs';
import { circlesOf, grouped, importsOf, type Graph } from './imports.js';

/** Layers of `src`, from bottom to top. A file imports its own layer and those below it. */
const LAYERS = ['lib', 'config', 'platform', 'workflows', 'agent', 'modules', 'broker', 'sites'];

/**
 * Wings of `src/modules` and the wings they may use, listed after them, so that the graph has no cycles. Families of one
 * wing use each other freely.
 */
const USES: Readonly<Record<string, readonly string[]>> = {
  applications: [],
  compat: [],
  flows: ['applications'],
  integrations: ['applications', 'flows'],
  keys: ['applications'],
  devices: ['applications'],
  events: ['applications', 'devices'],
  experience: ['applications', 'devices', 'flows'],
  files: ['applications'],
  accounts: ['applications', 'devices', 'experience', 'flows', 'keys'],
  data: ['applications', 'devices'],
  deployments: ['applications', 'devices'],
  engine: ['experience', 'files', 'flows', 'integrations'],
  jobs: ['accounts'],
  bundles: ['applications', 'data', 'devices', 'events', 'experience', 'files', 'flows', 'integrations'],
};

/** Classes that a module provides for another family, with its own implementation or its own instance. */
const PROVIDED_FOR_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'modules/bundles/application-imports/imports.module.ts': [
    'modules/applications/applications/template-applications.ts',
  ],
  'modules/bundles/archives/archives.module.ts': ['modules/applications/applications/archive-settings.ts'],
  'modules/deployments/edge-deployments/edge-deployments.module.ts': [
    'modules/deployments/deployments/deployment-worker.ts',
  ],
  'modules/deployments/embedded-deployments/embedded-deployments.module.ts': [
    'modules/deployments/deployments/deployment-worker.ts',
  ],
};

/** Global modules of families. `ApplicationsModule` injects a class of each and cannot import it without a cycle. */
const GLOBAL = [
  'modules/bundles/application-imports/imports.module.ts',
  'modules/bundles/archives/archives.module.ts',
];

const WING = /^modules\/([^/]+)\//;
const FAMILY = /^modules\/[^/]+\/([^/]+)\//;
const files = importsOf('src');
const wings = grouped(files, (file) => WING.exec(file)?.[1]);
const families = grouped(files, (file) => FAMILY.exec(file)?.[1]);

it('files have no import cycles', () => {
  expect(files.size).toBeGreaterThan(200);
  expect(circlesOf(files)).toEqual([]);
});

it('imports point down through the layers', () => {
  const layerOf = (file: string): number => LAYERS.indexOf(file.split('/')[0]!);
  const layered = [...files].filter(([file]) => layerOf(file) >= 0);
  const faults = layered.flatMap(([file, targets]) =>
    [...targets].filter((target) => layerOf(target) > layerOf(file)).map((target) => `${file} > ${target}`),
  );
  expect(layered.length).toBeGreaterThan(900);
  expect(faults).toEqual([]);
});

it('the gateway agent needs nothing of the platform but its workflow language and engine', () => {
  const found = new Set(['agent/main.ts']);
  for (const file of found) for (const target of files.get(file) ?? []) found.add(target);
  expect(found.size).toBeGreaterThan(300);
  const others = [...found].filter((file) => !/^(agent|lib|workflows)\//.test(file));
  // Types of schemas, which do not exist when the agent runs.
  expect(others.sort()).toEqual([
    'platform/fields/fields.ts',
    'platform/responses/schema.ts',
    'platform/responses/shape.ts',
  ]);
});

describe('wings', () => {
  const names = Object.keys(USES);

  it('use exactly the wings listed', () => {
    const used = [...wings].map(([name, targets]) => [name, [...targets].sort()]);
    expect(Object.fromEntries(used)).toEqual(USES);
  });

  it('use only wings listed before them', () => {
    const faults = names.flatMap((name, at) =>
      USES[name]!.filter((target) => names.indexOf(target) >= at || !names.includes(target)).map(
        (target) => `${name} > ${target}`,
      ),
    );
    expect(faults).toEqual([]);
  });
});

it('families have no cycles', () => {
  expect(families.size).toBeGreaterThan(60);
  expect(circlesOf(families)).toEqual([]);
});

describe('modules', () => {
  const modules = [...files].filter(([file]) => FAMILY.test(file) && file.endsWith('.module.ts'));
  const familyOf = (file: string): string | undefined => FAMILY.exec(file)?.[1];

  it('import the modules of other families, not their providers', () => {
    const taken = modules.flatMap(([file, targets]) => {
      const others = [...targets].filter((target) => ![undefined, familyOf(file)].includes(familyOf(target)));
      const classes = others.filter((target) => !target.endsWith('.module.ts'));
      return classes.length > 0 ? [[file, classes] as const] : [];
    });
    expect(modules.length).toBeGreaterThan(60);
    expect(Object.fromEntries(taken)).toEqual(PROVIDED_FOR_OTHERS);
  });

  it('are global only if listed', () => {
    const isGlobal = ([file]: (typeof modules)[number]): boolean =>
      /@Global\(|\bglobal: true/.test(readFileSync(`src/${file}`, 'utf8'));
    const found = modules.filter(isGlobal).map(([file]) => file);
    expect(found.sort()).toEqual(GLOBAL);
  });
});

describe('An import graph', () => {
  const graph = (arrows: Record<string, string[]>): Graph =>
    new Map(Object.entries(arrows).map(([node, targets]) => [node, new Set(targets)]));

  it.each<[string, Record<string, string[]>, string[]]>([
    ['none where paths meet again', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
    ['a file that imports itself', { a: ['a'] }, ['a > a']],
    [
      'the circle alone, without the way to it',
      { a: ['b'], b: ['c'], c: ['d'], d: ['b'] },
      ['b > c > d > b'],
    ],
    ['each of two', { a: ['b'], b: ['a'], c: ['d'], d: ['c'] }, ['a > b > a', 'c > d > c']],
  ])('has cycles: %s', (_, arrows, circles) => {
    expect(circlesOf(graph(arrows))).toEqual(circles);
  });

  it('can be grouped by folder', () => {
    const folders = grouped(
      graph({ 'x/a': ['x/b', 'y/a'], 'x/b': ['y/b', 'main'], 'y/a': [], main: ['x/a'] }),
      (file) => /^(\w)\//.exec(file)?.[1],
    );
    expect(folders).toEqual(graph({ x: ['y'], y: [] }));
  });
});

it('addresses, domains and slugs are lowercased only when they are validated', () => {
  const folds = /(mail|address|domain|slug)\w*\)?\??\.(toLowerCase|toUpperCase|normalize)\(/i;
  const faults = [...files.keys()].filter(
    (file) => file !== 'lib/mail/addresses.ts' && folds.test(readFileSync(`src/${file}`, 'utf8')),
  );
  expect(faults).toEqual([]);
});
