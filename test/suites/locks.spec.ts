import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!spec)\.ts$/.test(file) && !file.startsWith('migrations/'))
  .map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));
const having = (pattern: RegExp): string[] =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .sort();

/** Who waits for an advisory lock. All others do so with `WaitingTransaction.lock`, in their turn. */
const ADVISORY: Readonly<Record<string, string>> = {
  'first-start.ts': 'processes start one at a time, each on a connection of its own',
  'modules/devices/device-state/device-partitions.repository.ts':
    'one process makes a partition of a day, once',
  'platform/database/database.ts': 'it is where turns are',
};

it('Nobody waits for an advisory lock with a connection each', () => {
  expect(having(/\bpg_advisory_(xact_)?lock(_shared)?\b/)).toEqual(Object.keys(ADVISORY));
});

/**
 * Code that waits for row locks. A family may be added after a review of two facts. A lock holder calls only
 * PostgreSQL until it releases the lock. Many requests of one application for the same row queue with
 * `Database.inTurn`.
 */
const ROWS = [
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
  'modules/events/events',
  'modules/experience/experience',
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
];

it('Who waits for rows is known', () => {
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
