import { LOCK_KEYS } from '../../src/modules/deployments/deployments/deployment-tasks.repository.js';
import { HIERARCHY } from '../../src/modules/devices/devices/devices.repository.js';
import { TREE as GROUPS } from '../../src/modules/experience/experience-groups/experience-groups.repository.js';
import { TREE as FILES } from '../../src/modules/files/files/file-tree.repository.js';
import { TestDeployments } from '../make/deployments.js';
import { makeDevice } from '../make/device-tokens.js';
import { makeApplication, makeUser } from '../make/make.js';
import { suite } from '../setup/suite.js';
import { waitUntil } from '../setup/until.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'api' });

/** Enough requests to use all connections twice. */
const REQUESTS = 20;
/** Maximum number of waiting requests that hold a connection. */
const MAX_WAITING = 2;

/** A lock of an application, and requests that wait for it. */
interface Waited {
  kind: number;
  owner: () => string;
  /** Prepares the resources and returns a function that sends one of many concurrent requests. */
  prepare: () => Promise<(n: number) => Promise<{ status: number }>>;
}

const post = (path: string, body: object) =>
  test.client.post(`/applications/${application.id}/${path}`, body, { token: user.token });

const WAIT_CASES: Readonly<Record<string, Waited>> = {
  'groups that go below one': {
    kind: GROUPS,
    owner: () => application.id,
    prepare: async () => {
      const { body } = await post('experience/groups', { name: 'Top' });
      return (n) => post('experience/groups', { name: `Group ${n}`, parentId: body.id });
    },
  },
  'systems that go below one': {
    kind: HIERARCHY,
    owner: () => application.id,
    prepare: async () => {
      const system = { deviceClass: 'system' };
      const { id } = await makeDevice(test, user.token, application.id, { ...system, name: 'Plant' });
      return (n) => post('devices', { ...system, name: `Hall ${n}`, parentId: id });
    },
  },
  files: {
    kind: FILES,
    owner: () => `files${application.id}`,
    prepare: () => Promise.resolve((n) => post('files', { name: `Folder ${n}`, type: 'directory' })),
  },
  releases: {
    kind: LOCK_KEYS.embedded,
    owner: () => application.id,
    prepare: async () => {
      const deployments = new TestDeployments({ test, user, application }, 'embedded');
      const body = {
        flowId: (await deployments.flow()).id,
        version: 'develop',
        deviceIds: [(await deployments.device()).id],
      };
      return () => deployments.act('release', body);
    },
  },
};

/** Returns how long each transaction has waited for a lock, in milliseconds. */
const waiting = async (kind: number): Promise<number[]> => {
  const text = `SELECT extract(epoch FROM clock_timestamp() - waitstart) * 1000 AS ms FROM pg_locks
    WHERE NOT granted AND classid = $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return (await test.dataSource.query<{ ms: string }[]>(text, [kind])).map(({ ms }) => Number(ms));
};

it.each(Object.entries(WAIT_CASES))(
  "many requests that wait for an application's %s leave connections to others",
  async (_, { kind, owner, prepare }) => {
    const send = await prepare();
    const other = await makeUser(test);
    const { id } = await makeApplication(test, other.token);
    const holder = test.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [kind, owner()]);
      const answers = Promise.all(Array.from({ length: REQUESTS }, (_each, n) => send(n)));
      await waitUntil(async () => (await waiting(kind)).some((ms) => ms > 300));
      expect((await waiting(kind)).length).toBeLessThanOrEqual(MAX_WAITING);
      const patch = { description: 'Meanwhile' };
      const change = await test.client.patch(`/applications/${id}`, patch, { token: other.token });
      expect(change.status).toBe(200);
      await holder.commitTransaction();
      expect((await answers).map(({ status }) => status)).toEqual(Array(REQUESTS).fill(201));
    } finally {
      await holder.release();
    }
  },
);
