import { readFileSync } from 'node:fs';
import { circlesOf, grouped, importsOf, type Graph } from './imports.js';

/**
 * Which families use which. A family uses only those that stand above it, so nothing goes round, and a new arrow is a
 * change of this list that others read.
 */
const USES: Readonly<Record<string, readonly string[]>> = {
  'api-tokens': [],
  'application-search': [],
  applications: [],
  instances: [],
  'application-templates': [],
  'job-logs': [],
  whitelabels: [],
  'application-keys': ['applications'],
  'certificate-authorities': ['applications'],
  certificates: ['application-keys', 'applications', 'certificate-authorities'],
  flows: ['applications'],
  'experience-versions': ['applications', 'flows'],
  'experience-views': ['applications', 'experience-versions'],
  'experience-domains': ['applications', 'experience-versions'],
  'experience-slugs': ['applications', 'experience-versions'],
  users: ['instances'],
  credentials: ['applications', 'flows'],
  'flow-runs': ['applications'],
  files: ['applications', 'flow-runs'],
  'private-files': ['files'],
  'device-triggers': ['flow-runs'],
  'device-removal': [],
  devices: ['applications', 'device-removal', 'device-triggers'],
  deployments: ['applications', 'devices', 'flows'],
  'edge-deployments': ['applications', 'deployments', 'devices'],
  'embedded-deployments': ['applications', 'deployments', 'devices', 'flows'],
  auth: ['application-keys', 'certificate-authorities', 'certificates', 'devices', 'users'],
  'experience-groups': ['applications', 'devices'],
  'experience-users': ['applications', 'experience-groups'],
  'jobs-board': ['auth'],
  'device-recipes': ['applications', 'devices'],
  'device-attributes': ['applications', 'device-removal', 'devices'],
  'device-bulk': ['applications', 'device-attributes', 'devices'],
  usage: ['applications', 'devices'],
  'device-streams': ['devices'],
  'device-state': ['applications', 'device-streams', 'device-triggers', 'devices'],
  'device-systems': ['device-state', 'devices'],
  'device-commands': ['applications', 'device-state', 'device-streams', 'devices'],
  'device-connections': ['applications', 'device-state', 'device-triggers', 'devices'],
  'device-exports': ['applications', 'device-state', 'devices', 'usage'],
  'embedded-modules': ['applications', 'device-exports', 'embedded-deployments'],
  'usage-reports': ['device-exports', 'instances', 'usage'],
  'instance-sandboxes': ['users'],
  orgs: ['instances', 'users'],
  'device-data': ['applications', 'device-state', 'devices'],
  transfers: ['applications', 'orgs'],
  'audit-logs': ['instances', 'orgs'],
  'custom-nodes': ['flow-runs', 'flows', 'instances'],
  'instance-members': ['instances', 'orgs', 'users'],
  invites: ['auth', 'orgs', 'users'],
  'data-tables': ['applications'],
  'data-table-rows': ['data-tables', 'device-exports', 'flow-runs'],
  'application-bundles': ['applications', 'credentials', 'data-table-rows', 'data-tables', 'device-exports'],
  'application-imports': [
    'application-bundles',
    'application-templates',
    'applications',
    'data-table-rows',
    'data-tables',
    'device-exports',
    'device-removal',
    'devices',
    'experience-versions',
    'files',
    'flows',
    'private-files',
  ],
  events: ['applications', 'device-exports', 'device-state', 'devices', 'flow-runs'],
  'experience-endpoints': ['applications', 'experience-groups', 'experience-versions', 'flow-runs', 'flows'],
  'experience-links': ['experience-endpoints', 'experience-versions', 'experience-views', 'flows'],
  archives: [
    'application-bundles',
    'applications',
    'credentials',
    'data-table-rows',
    'data-tables',
    'device-exports',
    'events',
  ],
  'mail-in': ['flow-runs'],
  webhooks: ['applications', 'flow-runs', 'flows'],
  'instance-orgs': ['invites', 'orgs', 'users'],
  me: ['auth', 'invites', 'users'],
  experience: [
    'applications',
    'experience-endpoints',
    'experience-groups',
    'experience-slugs',
    'experience-users',
    'experience-versions',
    'experience-views',
    'flows',
  ],
};

const FAMILY = /^modules\/([^/]+)\//;
const files = importsOf('src');
const families = grouped(files, (file) => FAMILY.exec(file)?.[1]);

it('No file leads back to itself', () => {
  expect(files.size).toBeGreaterThan(200);
  expect(circlesOf(files)).toEqual([]);
});

it('The platform and the configuration import no family', () => {
  const below = [...files].filter(([file]) => /^(platform|config)\//.test(file));
  const faults = below.flatMap(([file, targets]) =>
    [...targets].filter((target) => FAMILY.test(target)).map((target) => `${file} > ${target}`),
  );
  expect(below.length).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});

describe('Families', () => {
  const names = Object.keys(USES);

  it('use each other as the list says, all that it says and no more', () => {
    const used = [...families].map(([name, targets]) => [name, [...targets].sort()]);
    expect(Object.fromEntries(used)).toEqual(USES);
  });

  it('use those alone that stand above them', () => {
    const faults = names.flatMap((name, at) =>
      USES[name]!.filter((target) => names.indexOf(target) >= at || !names.includes(target)).map(
        (target) => `${name} > ${target}`,
      ),
    );
    expect(faults).toEqual([]);
  });
});

describe('A graph of imports', () => {
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
  ])('has circles: %s', (_, arrows, circles) => {
    expect(circlesOf(graph(arrows))).toEqual(circles);
  });

  it('is one of folders too', () => {
    const folders = grouped(
      graph({ 'x/a': ['x/b', 'y/a'], 'x/b': ['y/b', 'main'], 'y/a': [], main: ['x/a'] }),
      (file) => /^(\w)\//.exec(file)?.[1],
    );
    expect(folders).toEqual(graph({ x: ['y'], y: [] }));
  });
});

it('Addresses, domains and slugs are lower-cased where they are checked, and nowhere else', () => {
  const folds = /(mail|address|domain|slug)\w*\)?\??\.(toLowerCase|toUpperCase|normalize)\(/i;
  const faults = [...files.keys()].filter(
    (file) => file !== 'platform/addresses.ts' && folds.test(readFileSync(`src/${file}`, 'utf8')),
  );
  expect(faults).toEqual([]);
});
