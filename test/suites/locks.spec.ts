import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestFile } from '../setup/selection.js';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !isTestFile(file) && !file.startsWith('migrations/'))
  .map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));
const having = (pattern: RegExp): string[] =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .sort();

/** Files that wait for an advisory lock directly. All others use `QueuedTransaction.lock`, which queues them. */
const ADVISORY: Readonly<Record<string, string>> = {
  'modules/deployments/embedded-modules/embedded-modules.repository.ts':
    'workers claim modules one after the other, each for one statement',
  'modules/devices/device-state/device-partitions.repository.ts':
    'one process makes a partition of a day, once',
  'platform/database/database.ts': 'it is where turns are',
};

it('no request blocks a connection to wait for an advisory lock', () => {
  expect(having(/\bpg_advisory_(xact_)?lock(_shared)?\b/)).toEqual(Object.keys(ADVISORY));
});

/**
 * Families that wait for row locks. A family is added after a review of two points: the holder of the lock waits only
 * for PostgreSQL until it releases it, and concurrent requests for one row are queued (`Database.inTurn`).
 */
const ROWS = [
  'broker/sessions',
  'modules/accounts/instances',
  'modules/accounts/orgs',
  'modules/accounts/users',
  'modules/applications/applications',
  'modules/bundles/application-imports',
  'modules/data/data-table-rows',
  'modules/deployments/deployments',
  'modules/deployments/edge-deployments',
  'modules/deployments/embedded-deployments',
  'modules/devices/device-state',
  'modules/devices/devices',
  'modules/engine/delivery',
  'modules/events/events',
  'modules/experience/experience',
  'modules/experience/experience-domains',
  'modules/experience/experience-endpoints',
  'modules/experience/experience-groups',
  'modules/experience/experience-slugs',
  'modules/experience/experience-versions',
  'modules/experience/experience-views',
  'modules/files/files',
  'modules/flows/flow-runs',
  'modules/flows/flows',
  'platform/counts',
  'platform/holdings',
  'platform/payloads',
  'platform/repositories',
  'workflows/runs',
];

it('families that wait for row locks are listed', () => {
  const families = having(
    /\bFOR (UPDATE|NO KEY UPDATE|SHARE|KEY SHARE)\b(?! SKIP LOCKED| NOWAIT)|'(pessimistic_write|for_\w+)'/,
  );
  expect(
    [
      ...new Set(
        families.map((file) =>
          file
            .split('/')
            .slice(0, file.startsWith('modules/') ? 3 : 2)
            .join('/'),
        ),
      ),
    ].sort(),
  ).toEqual(ROWS);
});
