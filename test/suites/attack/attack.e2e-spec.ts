import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentText } from '../../../src/openapi/emit.js';
import { redisForWorker } from '../../setup/app.js';
import { ChangedRows } from '../changed-rows.js';
import { Client } from '../../contract/client.js';
import { compilePlatform, type CompiledPlatform } from '../../setup/compiled.js';
import { deviceToken, makeDevice, makeKey } from '../../make/device-tokens.js';
import { attacksOn, requestOf, type Attacker } from '../hostile/attacks.js';
import type { Attack } from '../hostile/bodies.js';
import { idsIn, targetsOf, type Target } from '../hostile/operations.js';
import { Schemas } from '../hostile/schemas.js';
import { Sender, type RawAnswer } from '../hostile/send.js';
import { faultOf } from '../hostile/verdict.js';
import { inBatches } from '../../setup/in-batches.js';
import { makeApplication, makeUser, tokenOf, type TestUser } from '../../make/make.js';
import { PlatformProcess } from '../../setup/platform-process.js';
import { Samples } from '../../contract/samples.js';
import { generator, selected } from '../../setup/selection.js';
import { sharedKeys } from '../../make/sign-in.js';
import { suite } from '../../setup/suite.js';
import { Tally } from './tally.js';

// Runs the attacks of the hostile suite against a platform in a separate process, in an order determined by the seed.
// `npm run attack` sets the number; without it, a few attacks run to keep the suite working.
const { ATTACK_REQUESTS, ATTACK_REPORT, SEED = '0' } = process.env;
const REQUESTS = Number(ATTACK_REQUESTS ?? '300');
const WEEK_SECONDS = 7 * 86_400;
const MAX_BLOCK_MS = 1_000;
/** Generating the attacks on an operation costs more than sending a few. */
const MIN_SHARE = 10;
/** A fault often appears in many operations, so the run stops after this many violations. */
const MAX_VIOLATIONS = 200;

const keys = sharedKeys();
const env = { ...keys, LOG_LEVEL: 'error', CODEHOST_API_URL: 'http://127.0.0.1:9', PROCESS_ROLE: 'api' };
const targets = selected(targetsOf(JSON.parse(await documentText())));

// Creates the rows that are attacked.
const { test } = suite(env, { database: 'own' });
let compiled: CompiledPlatform;
let folder: string;
let attacked: PlatformProcess;
let url: string;
let owner: TestUser;
/** Tokens of other callers: a user, and a device of that user. */
let strangers: readonly { name: string; token: string }[];

beforeAll(async () => {
  compiled = await compilePlatform();
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-attack-'));
  attacked = new PlatformProcess(compiled.program('src/main'), {
    ...env,
    DATABASE_URL: (test.dataSource.options as { url: string }).url,
    REDIS_URL: redisForWorker(),
    DATA_DIR: folder,
    METRICS_PUBLIC: 'true',
    // More than any rate of requests in this suite.
    REQUESTS_PER_TOKEN: '999999999',
    REQUESTS_PER_OWNER: '999999999',
    REQUESTS_PER_FLEET: '999999999',
    MESSAGES_PER_DEVICE: '0',
  });
  url = await attacked.url();
  owner = await makeAttacker();
  const { token } = await makeAttacker();
  strangers = [
    { name: 'a stranger', token },
    { name: 'a device of a stranger', token: await tokenOfDevice(token) },
  ];
}, 120_000);

afterAll(async () => {
  await attacked.stop();
  await compiled.remove();
  await rm(folder, { recursive: true });
});

/** A user with a token of the maximum lifetime. */
async function makeAttacker(): Promise<TestUser> {
  const user = await makeUser(test);
  return { ...user, token: tokenOf(test, user.id, ['all.User'], WEEK_SECONDS) };
}

async function tokenOfDevice(token: string): Promise<string> {
  const { id } = await makeApplication(test, token);
  const [device, key] = [await makeDevice(test, token, id), await makeKey(test, token, id)];
  return deviceToken(test, device.id, key.id, ['all.Device'], WEEK_SECONDS);
}

/** An attack chosen for an operation; `foreign` if the caller owns none of the resources. */
interface Chosen {
  kind: string;
  attack: Attack;
  foreign: boolean;
}

it(
  'no attack gets access, causes an error or blocks other requests',
  async () => {
    const tally = new Tally();
    const random = generator(`${SEED} attack`);
    const attacker: Attacker = { schemas: new Schemas(test.document), token: owner.token };
    const samples = new Samples(test, owner);
    const client = new Client(url, test.document);
    const sender = new Sender(url);
    const changed = await ChangedRows.of(test.dataSource);
    const owned = new Set([owner.id]);
    const share = Math.max(MIN_SHARE, Math.ceil(REQUESTS / targets.length));
    const note = (violation: string) => {
      if (tally.violations.length < MAX_VIOLATIONS) tally.violations.push(violation);
    };

    // Excludes the time that startup took.
    if (ATTACK_REPORT) await longestBlock();

    while (tally.requests < REQUESTS) {
      for (const target of shuffled(targets, random)) {
        if (tally.requests >= REQUESTS) break;
        const ids = await samples.idsOf(target.path);
        for (const id of Object.values(ids)) owned.add(id);
        const candidates = [
          ...attacksOn(target, ids, attacker).flatMap(({ kind, attacks }) =>
            attacks.map((attack): Chosen => ({ kind, attack, foreign: false })),
          ),
          ...(await foreignAttacks(target, samples)),
        ];
        const chosen = Array.from(
          { length: Math.min(share, REQUESTS - tally.requests) },
          () => candidates[Math.floor(random() * candidates.length)]!,
        );
        await changed.take();
        await inBatches(chosen, async ({ kind, attack, foreign }) => {
          const request = requestOf(target, attack, ids, attacker);
          const at = `${target.id}: ${kind}: ${attack.title}`;
          try {
            const answer = await sender.send(request);
            tally.count(kind, answer.status);
            const fault = faultOf(answer, attack.expected);
            if (fault) note(`${at}: ${fault}`);
            if (request.method !== 'HEAD') checkAgainstDocument(client, request.method, request.path, answer);
            if (foreign && answer.status < 400 && [...owned].some((id) => answer.text.includes(id)))
              note(`${at}: a foreign row`);
          } catch (error) {
            note(`${at}: ${(error as Error).message}`);
          }
          return undefined;
        });
        const tables = await changed.take();
        if (tables.length > 0) note(`${target.id}: rows of ${tables.join(', ')} were changed`);
        // Blocking time is only meaningful on an idle machine, so it is measured only when a report is requested.
        if (ATTACK_REPORT) tally.longestBlock = Math.max(tally.longestBlock, await longestBlock());
      }
    }
    sender.close();
    if (tally.longestBlock > MAX_BLOCK_MS)
      note(`Nothing else was done for ${Math.round(tally.longestBlock)} ms`);
    const about = `\`npm run attack -- --requests ${REQUESTS} --seed ${SEED}\`: ${targets.length} operations, Node ${process.version}.`;
    if (ATTACK_REPORT) await writeFile(ATTACK_REPORT, tally.report(about));
    expect(tally.violations).toEqual([]);
    expect(tally.requests).toBe(REQUESTS);
  },
  60_000 + REQUESTS * 50,
);

/** Valid requests about the owner's rows from another user, and lists, which must not contain them. */
async function foreignAttacks(target: Target, samples: Samples): Promise<Chosen[]> {
  const named = idsIn(target.path).length > 0;
  if (target.open || (!named && target.method !== 'GET')) return [];
  const { path, body } = await samples.attemptOf(target);
  const [pathname = '', query] = path.split('?');
  const attacks = strangers.map(({ name, token }): Attack => ({
    title: `${name} asks`,
    expected: named ? [403, 404] : 'survived',
    path: pathname,
    query,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }));
  // One in ten of the attacks, compared with hundreds of others.
  return attacks.flatMap((attack) =>
    Array.from({ length: 10 }, () => ({ kind: 'others’ rows', attack, foreign: true })),
  );
}

/** Throws if the response does not match the document. */
function checkAgainstDocument(
  client: Client,
  method: string,
  path: string,
  { status, headers, text }: RawAnswer,
): void {
  const known = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  client.hold(method, path, { status, headers: known, body: parsed(text) }, text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the longest time, in milliseconds, that the platform was blocked since the previous call. */
async function longestBlock(): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]) * 1000;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
