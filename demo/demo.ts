import 'reflect-metadata';
import { Command } from 'commander';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { loadConfig } from '../src/config/config.js';
import { newPassword } from '../src/first-start.js';
import { acceptInvite, createAccounts, invite, signInError, type Person } from './accounts.js';
import { createResources, ensureApplication, performActions, type ApplicationData } from './applications.js';
import { Client, type Item } from './client.js';
import { reportersOf, reportHistory, reportNow, type Kinds } from './history.js';

/**
 * Fills a platform with an organization, over the HTTP API: so every rule of the platform holds, and the demo works
 * with any platform that can be reached.
 */

interface Organization {
  name: string;
  description: string;
  people: Person[];
  invited: Pick<Person, 'email' | 'role'>[];
  tokens: Item[];
}

/** npm runs scripts in the root of the project. */
const FOLDER = 'demo';
const LIVE_MS = 5_000;
const MAX_DAYS = 30;
const LOOK_AT = ['devices_get', 'data_timeSeriesQuery', 'events_get', 'flows_get'];

interface Operation {
  operationId?: string;
  tags?: string[];
}

const read = <T>(...file: string[]): T =>
  parse(readFileSync(join(FOLDER, ...file), 'utf8').replaceAll('$PASSWORD', newPassword())) as T;

async function main(): Promise<void> {
  const { live, days } = options();
  const { API_URL, DEMO_PASSWORD } = process.env;
  const config = loadConfig();
  const url = (API_URL ?? config.publicUrl).replace(/\/+$/, '');
  await assertRunning(url);
  const organization = read<Organization>('organization.yaml');
  const [owner, ...others] = organization.people;
  const password = API_URL ? undefined : await createAccounts(config, organization.people, DEMO_PASSWORD);
  const account = password
    ? { email: owner!.email, password }
    : { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD ?? '' };
  const signIn = (email: string) =>
    Client.signIn(url, { ...account, email }).catch((error: unknown) => {
      throw signInError(error, email);
    });
  const client = await signIn(account.email);

  const orgId = await ensureOrganization(client, organization);
  const kinds = read<Kinds>('curves.yaml');
  const applicationIds = new Map<string, string>();
  const reporters = [];
  for (const file of readdirSync(join(FOLDER, 'applications')).sort()) {
    const start = performance.now();
    const data = read<ApplicationData>('applications', file);
    const resources = await ensureApplication(client, orgId, data);
    const created = await createResources(resources, data);
    const devices = await reportersOf(resources, kinds);
    const states = await reportHistory(client, devices, days);
    await performActions(resources, data);
    // Workflows are enabled now, so that this report requests runs.
    if (states > 0) await reportNow(client, devices);
    reporters.push(...devices);
    applicationIds.set(data.name, resources.base.split('/').at(-1)!);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${data.name}: ${created} new resources, ${states.toLocaleString('en')} new reports (${seconds} s)`,
    );
  }
  await invite(client, orgId, [...organization.people, ...organization.invited], applicationIds);
  if (password) for (const { email } of others) await acceptInvite(await signIn(email), organization.name);

  await tell(url, organization, applicationIds, password);
  if (live) await reportForever(client, reporters);
}

function options(): { live?: true; days: number } {
  const command = new Command('npm run demo --')
    .description('Fills a running platform with an organization. A second run adds only what is missing.')
    .option('--live', 'continue to report every five seconds until Ctrl-C')
    .option('--days <number>', `days of history, at most ${MAX_DAYS}`, String(MAX_DAYS))
    .parse();
  const { live, days } = command.opts<{ live?: true; days: string }>();
  if (!(Number(days) > 0 && Number(days) <= MAX_DAYS)) command.error(`--days must be from 1 to ${MAX_DAYS}.`);
  return { live, days: Number(days) };
}

async function assertRunning(url: string): Promise<void> {
  const isReady = await fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isReady)
    throw new Error(
      `No platform responds at ${url}. Start one with "npm start" in another terminal, then repeat.`,
    );
}

async function ensureOrganization(
  client: Client,
  { name, description, tokens }: Organization,
): Promise<string> {
  const found = (await client.list('/orgs')).find((org) => org.name === name);
  const existing = new Set((await client.list('/me/tokens')).map((token) => token.name));
  for (const token of tokens) if (!existing.has(token.name)) await client.post('/me/tokens', token);
  return (found ?? (await client.post('/orgs', { name, description }))).id as string;
}

/** Returns the addresses of operations in the Swagger UI. */
async function docsLinks(url: string, operationIds: readonly string[]): Promise<string[]> {
  const response = await fetch(`${url}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return operationIds.map((id) => {
    const tag = operations.find(({ operationId }) => operationId === id)?.tags?.[0] ?? '';
    return `${url}/docs#/${encodeURIComponent(tag)}/${id}`;
  });
}

async function tell(
  url: string,
  { name, people, invited }: Organization,
  applicationIds: ReadonlyMap<string, string>,
  password?: string,
): Promise<void> {
  console.log(`\n${name}`);
  for (const [application, id] of applicationIds) console.log(`  ${application.padEnd(28)} ${id}`);
  console.log(password ? '\nSign in with' : '\nInvited');
  for (const { email, role, application } of people)
    console.log(`  ${email.padEnd(28)} ${role}${application ? `, view on ${application}` : ''}`);
  for (const { email, role } of invited) console.log(`  ${email.padEnd(28)} ${role} (invited)`);
  if (password) console.log(`  Password of all: ${password}`);
  const links = await docsLinks(url, LOOK_AT);
  console.log(`
Look at
${links
  .map(
    (link) => `  ${link}
`,
  )
  .join('')}`);
}

async function reportForever(client: Client, reporters: Parameters<typeof reportNow>[1]): Promise<void> {
  console.log(`${reporters.length} devices report every ${LIVE_MS / 1000} seconds. Ctrl-C stops.`);
  for (;;) {
    const next = Date.now() + LIVE_MS;
    await reportNow(client, reporters).catch(async (error: Error) => {
      console.error(error.message);
      await client.renew().catch(() => undefined);
    });
    await sleep(Math.max(0, next - Date.now()));
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
