import { X509Certificate } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { experiencePasswords } from '../../src/lib/crypto/passwords.js';
import { COMPRESSION, DECOMPRESSION } from '../../src/lib/http/compression.js';
import type { WorkBudget } from '../../src/lib/async/work-budget.js';
import type { Answer } from '../contract/client.js';
import { issueAuthority, issueForDevice, named, trust, usedFor } from '../make/certificates.js';
import { makeDevice } from '../make/device-tokens.js';
import { makeApplication, makeUser, PASSWORD, uniqueName, type TestUser } from '../make/make.js';
import { BEHIND_PROXY, clientAddress, freshAddress, signIn } from '../make/sign-in.js';
import { suite } from '../setup/suite.js';
import { waitUntil } from '../setup/until.js';

const TIMEOUT_MS = 240_000;
jest.setTimeout(TIMEOUT_MS + 60_000);

const { test, user, application } = suite(
  { ...BEHIND_PROXY, CLIENT_CERTIFICATE_PROXIES: '127.0.0.1' },
  { retries: false },
);
let other: TestUser;
let otherApplication: { id: string };
/** Headers of sign-ins by certificate and the ID of the device, by application. */
const devices = new Map<string, { deviceId: string; certificate: string }>();
/** Certificates of authorities, and that of a device, which is refused. */
let bundle: string;

beforeAll(async () => {
  const authority = await issueAuthority();
  bundle = authority.pem.repeat(31) + (await issueForDevice(authority)).pem;
});
beforeEach(async () => {
  other = await makeUser(test);
  otherApplication = await makeApplication(test, other.token);
  await addDevice(user, application.id);
  await addDevice(other, otherApplication.id);
});

/** Adds a device that signs in by a certificate with many names, which is slow to read. */
async function addDevice({ token }: TestUser, applicationId: string): Promise<void> {
  const authority = await issueAuthority();
  await trust(test, token, applicationId, authority.pem);
  const { id } = await makeDevice(test, token, applicationId, {});
  const names = Array.from({ length: 400 }, (_, i) => `pump${i}.example.com`);
  const extensions = [usedFor(CLIENT_AUTH), named(names)];
  const { pem } = await issueForDevice(authority, { subject: `CN=${id}`, extensions });
  const certificate = `:${new X509Certificate(pem).raw.toString('base64')}:`;
  devices.set(applicationId, { deviceId: id, certificate });
}

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const FULL = 'Too many requests of this kind are waiting';
/** More than may run and wait for one owner. */
const CONCURRENT = 48;

/**
 * Sends a request over and over, many at a time, until `work` ends. Returns the status codes of the answers. With `flood`,
 * that work fills the queue, and one request at a time is sent.
 */
async function whileFlooded(
  send: () => Promise<Answer>,
  work: () => Promise<void>,
  flood?: () => Promise<unknown>,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  let refused = false;
  let ended = false;
  const requests = async (): Promise<void> => {
    while (!ended) {
      const { status, body } = await send();
      statuses.add(status);
      if (status === 429) expect(body.message).toBe(FULL);
      refused ||= status === 429;
    }
  };
  const floods = async (): Promise<void> => {
    while (!ended) await flood!().catch(() => new Promise((resolve) => setTimeout(resolve, 5)));
  };
  const senders = Array.from({ length: CONCURRENT }, (_, i) => (flood && i > 0 ? floods() : requests()));
  try {
    await waitUntil(async () => refused, TIMEOUT_MS);
    await work();
  } finally {
    ended = true;
    await Promise.all(senders);
  }
  return statuses;
}

const signedIn = async (): Promise<void> => {
  const { status } = await signIn(test, { email: other.email, password: PASSWORD }, freshAddress());
  expect(status).toBe(200);
};

interface Flooded {
  /** Work of the flood, if requests alone arrive too slowly to fill the queue. */
  flood?: (by: TestUser) => Promise<unknown>;
  send: (by: TestUser, applicationId: string, address: string) => Promise<Answer>;
  /** Status of the answer to a request that is not refused. */
  success: number;
}

const OPERATIONS: Readonly<Record<string, Flooded>> = {
  'generated keys': {
    success: 201,
    send: (by, id) => {
      const snowflakeConfig = { host: 'a.example.com', username: 'a', generatePrivateKey: true };
      const body = { name: uniqueName(), type: 'snowflake', snowflakeConfig };
      return test.client.post(`/applications/${id}/credentials`, body, { token: by.token });
    },
  },
  'passwords of experience users': {
    success: 201,
    flood: ({ id }) => experiencePasswords.hash(id, PASSWORD),
    send: (by, id) => {
      const body = { email: `${uniqueName()}@example.com`, password: PASSWORD };
      return test.client.post(`/applications/${id}/experience/users`, body, {
        token: by.token,
      });
    },
  },
  'bundles of certificates': {
    success: 400,
    send: (by, id) => {
      const path = `/applications/${id}/certificate-authorities`;
      return test.client.post(path, { name: uniqueName(), caBundle: bundle }, { token: by.token });
    },
  },
  'sign-ins by certificate': {
    success: 200,
    send: (_by, id, address) => {
      const { deviceId, certificate } = devices.get(id)!;
      const headers = { ...clientAddress(address), 'client-cert': certificate };
      return test.client.post('/auth/device', { deviceId }, { headers });
    },
  },
};

describe('While one owner floods the platform with', () => {
  it.each(Object.entries(OPERATIONS))(
    '%s, another signs in and does the same, and only the former is refused',
    async (_, { send, success, flood }) => {
      const statuses = await whileFlooded(
        () => send(user, application.id, '10.255.255.1'),
        async () => {
          await signedIn();
          expect((await send(other, otherApplication.id, freshAddress())).status).toBe(success);
        },
        flood && (() => flood(user)),
      );
      statuses.delete(success);
      expect(statuses).toEqual(new Set([429]));
    },
  );
});

/** Takes all slots of an owner, and all places to wait, until `work` ends. */
async function whileTaken(budget: WorkBudget, owner: string, work: () => Promise<void>): Promise<void> {
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const taken = Array.from({ length: 36 }, () => budget.run(owner, () => held));
  try {
    await work();
  } finally {
    end();
    await Promise.all(taken);
  }
}

const globals = [{ key: 'pumps', json: JSON.stringify('All about the pumps. '.repeat(200)) }];

/** Changes an application with a compressed body. */
async function patched(by: TestUser, id: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${by.token}`,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'accept-encoding': 'gzip',
  };
  const body = gzipSync(JSON.stringify({ globals }));
  return fetch(`${test.client.url}/applications/${id}`, { method: 'PATCH', headers, body });
}

describe('While one owner takes all turns of its own for', () => {
  it('decompressed bodies, its next one is refused, and those of others are read', async () => {
    await whileTaken(DECOMPRESSION, user.id, async () => {
      expect((await patched(user, application.id)).status).toBe(429);
      expect((await patched(other, otherApplication.id)).status).toBe(200);
      await signedIn();
    });
    expect((await patched(user, application.id)).status).toBe(200);
  });

  it('compressed responses, its next one is sent uncompressed, and those of others are compressed', async () => {
    await whileTaken(COMPRESSION, user.id, async () => {
      const plain = await patched(user, application.id);
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
      expect(await plain.json()).toMatchObject({ globals });
      const packed = await patched(other, otherApplication.id);
      expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, 'gzip']);
      await packed.arrayBuffer();
      await signedIn();
    });
    const { headers } = await patched(user, application.id);
    expect(headers.get('content-encoding')).toBe('gzip');
  });
});
