import { PASSWORD } from './databases.js';
import type { OwnedBy, Tenant } from './shapes.js';

export interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** Path on the bare server, if different. */
  bare?: string;
  body?: object;
}

/** The tenant that sends the request, and the sequence number of the request for that tenant. */
export interface CaseContext {
  tenant: Tenant;
  turn: number;
  ownedBy: OwnedBy;
}

export interface Case {
  name: string;
  /** Owner type that the case is limited to; by default it runs for all. */
  of?: OwnedBy;
  /** Number of statements that a request runs. */
  statements: number;
  /** Target ratio to the bare server, in rate or in CPU; unset if the bare server has no equivalent. */
  target?: number;
  /** Maximum p99 as a multiple of the bare server's p99. */
  p99?: number;
  /** Maximum cost as a multiple of another case; if unset, the general growth limit applies. */
  most?: { times: number; of: string };
  /** Uses a token that the server has never seen instead of a cached one. */
  newToken?: boolean;
  connections?: number;
  request(asked: CaseContext): Request;
}

const nth = <T>(items: readonly T[], turn: number): T => items[turn % items.length]!;
/** Every other request is about the application that holds the workflows and webhooks. */
const anyOf = ({ tenant: { applications }, turn }: CaseContext): string =>
  nth(applications, turn % 2 ? turn : 0);
const fullOf = ({ tenant }: CaseContext): string => `/applications/${tenant.applications[0]}`;
const deviceOf = (asked: CaseContext): string =>
  `${fullOf(asked)}/devices/${nth(asked.tenant.devices, asked.turn)}`;
const readme = (asked: CaseContext): Request => ({
  method: 'GET',
  path: `/applications/${anyOf(asked)}/readme`,
});
const report = (asked: CaseContext): Request => ({
  method: 'POST',
  path: `${deviceOf(asked)}/state`,
  body: { data: { temperature: asked.turn / 10, pressure: 1_000 + asked.turn, open: asked.turn % 2 === 0 } },
});

/** The cases in order of measurement. Writes come last because they add rows that lists would read. */
export const CASES: readonly Case[] = [
  {
    name: 'get',
    statements: 1,
    target: 0.7,
    p99: 2,
    request: (asked) => ({ method: 'GET', path: `/applications/${anyOf(asked)}` }),
  },
  // The guard authorizes the request from memory: token and application are cached.
  { name: 'guarded read', statements: 1, target: 0.7, request: readme },
  // The same, but the token must be verified, and its user is read together with the application.
  { name: 'guarded read, new token', statements: 2, newToken: true, request: readme },
  {
    name: 'list of 100 applications',
    statements: 1,
    target: 0.95,
    request: ({ tenant: { ownerId }, ownedBy }) => ({
      method: 'GET',
      path: ownedBy === 'user' ? '/applications' : `/applications?orgId=${ownerId}`,
      bare: `/applications?ownerId=${ownerId}`,
    }),
  },
  // A member of an organization sees at least two owners: the organization and themselves.
  {
    name: 'list of 100 applications of all owners',
    of: 'organization',
    statements: 1,
    request: () => ({ method: 'GET', path: '/applications' }),
  },
  {
    name: 'list of 100 workflows',
    statements: 1,
    request: (asked) => ({ method: 'GET', path: `${fullOf(asked)}/flows` }),
  },
  {
    name: 'list of 100 workflows, last page',
    statements: 1,
    most: { times: 5, of: 'list of 100 workflows' },
    request: (asked) => ({
      method: 'GET',
      path: `${fullOf(asked)}/flows?page=${Math.ceil(asked.tenant.flows / 100) - 1}`,
    }),
  },
  {
    name: 'list of 100 webhooks',
    statements: 1,
    request: (asked) => ({ method: 'GET', path: `${fullOf(asked)}/webhooks` }),
  },
  {
    name: 'get of a device',
    statements: 1,
    request: (asked) => ({ method: 'GET', path: deviceOf(asked) }),
  },
  {
    name: 'list of 100 devices',
    statements: 1,
    request: (asked) => ({ method: 'GET', path: `${fullOf(asked)}/devices` }),
  },
  {
    name: 'patch',
    statements: 1,
    target: 0.8,
    request: ({ tenant: { applications }, turn }) => ({
      method: 'PATCH',
      path: `/applications/${nth(applications, turn)}`,
      body: { description: `Changed for the ${turn}th time` },
    }),
  },
  {
    name: 'create',
    statements: 1,
    target: 0.8,
    request: ({ tenant: { ownerId }, turn, ownedBy }) => ({
      method: 'POST',
      path: '/applications',
      bare: `/applications?ownerId=${ownerId}`,
      body: {
        name: `Made by the benchmark, ${turn}`,
        description: 'Additional application',
        ...(ownedBy === 'organization' ? { orgId: ownerId } : {}),
      },
    }),
  },
  // The bare server inserts a row for each report; the platform batches concurrent reports into two shared statements.
  { name: 'report of a device', statements: 2, target: 2, request: report },
  // Reports as a fleet sends them, with one connection per device.
  {
    name: 'report of a device, 256 connections',
    statements: 2,
    target: 2,
    connections: 256,
    request: report,
  },
  {
    name: 'report of 100 states of a device',
    statements: 2,
    request: (asked) => ({
      method: 'POST',
      path: `${deviceOf(asked)}/state`,
      body: Array.from({ length: 100 }, (_, i) => ({
        data: { temperature: i, pressure: 1_000 + i, open: i % 2 === 0 },
        // In the past, and different for each request.
        time: -1 - i,
      })),
    }),
  },
  {
    name: 'webhook receive',
    statements: 1,
    request: ({ tenant: { webhookTokens }, turn }) => ({
      method: 'POST',
      path: `/webhooks/${nth(webhookTokens, turn)}`,
      body: { order: turn, items: ['pump', 'valve'] },
    }),
  },
  {
    name: 'sign-in',
    statements: 2,
    connections: 4,
    request: ({ tenant: { email } }) => ({
      method: 'POST',
      path: '/auth/user',
      body: { email, password: PASSWORD },
    }),
  },
];

/** Returns the cases that apply to applications of these owners. */
export const casesOf = (ownedBy: OwnedBy): Case[] => CASES.filter(({ of = ownedBy }) => of === ownedBy);

/** Returns the request as it is sent over the wire. */
export function wire(
  { method, path, bare, body }: Request,
  { token, toBare }: { token: string; toBare: boolean },
): string {
  const text = body ? JSON.stringify(body) : '';
  const content = body
    ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`
    : '';
  const target = toBare ? (bare ?? path) : path;
  return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${content}\r\n${text}`;
}
