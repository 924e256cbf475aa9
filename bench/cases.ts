import { PASSWORD } from './databases.js';
import type { OwnedBy, Tenant } from './shapes.js';

export interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** The path on the bare server, where it is another. */
  bare?: string;
  body?: object;
}

/** Whose request it is, and the how many-th of theirs. */
export interface Asked {
  tenant: Tenant;
  turn: number;
  ownedBy: OwnedBy;
}

export interface Case {
  name: string;
  /** Whose applications it is about, where not everybody's. */
  of?: OwnedBy;
  /** How many statements a request runs. */
  statements: number;
  /** The ratio to reach beside the bare server, in rate or in CPU; none for what the bare server does not do. */
  target?: number;
  /** How many times the bare server's p99 its own may be. */
  p99?: number;
  /** What it may cost at most, as a multiple of another case; absent, it may grow as every case may. */
  most?: { times: number; of: string };
  /** With a token that was never seen, in place of one that was seen a moment ago. */
  newToken?: boolean;
  connections?: number;
  request(asked: Asked): Request;
}

const nth = <T>(items: readonly T[], turn: number): T => items[turn % items.length]!;
/** Every other one is the application that holds workflows and webhooks. */
const anyOf = ({ tenant: { applications }, turn }: Asked): string => nth(applications, turn % 2 ? turn : 0);
const fullOf = ({ tenant }: Asked): string => `/applications/${tenant.applications[0]}`;
const deviceOf = (asked: Asked): string =>
  `${fullOf(asked)}/devices/${nth(asked.tenant.devices, asked.turn)}`;
const readme = (asked: Asked): Request => ({ method: 'GET', path: `/applications/${anyOf(asked)}/readme` });
const report = (asked: Asked): Request => ({
  method: 'POST',
  path: `${deviceOf(asked)}/state`,
  body: { data: { temperature: asked.turn / 10, pressure: 1_000 + asked.turn, open: asked.turn % 2 === 0 } },
});

/** What is measured, in this order: what writes comes last, since it adds to what lists would read. */
export const CASES: readonly Case[] = [
  {
    name: 'get',
    statements: 1,
    target: 0.7,
    p99: 2,
    request: (asked) => ({ method: 'GET', path: `/applications/${anyOf(asked)}` }),
  },
  // What is allowed is decided by the guard here, from memory: the token and the application were seen a moment ago.
  { name: 'guarded read', statements: 1, target: 0.7, request: readme },
  // The same, where the token has to be verified, and its user read with the application.
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
  // Whoever works in an organization sees two owners at least: it and themselves.
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
        description: 'One more',
        ...(ownedBy === 'organization' ? { orgId: ownerId } : {}),
      },
    }),
  },
  // Beside a server that inserts a row for each: those that come at once share both statements here.
  { name: 'report of a device', statements: 2, target: 2, request: report },
  // As a fleet sends them, whose devices each have a connection.
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
        // Before now, and at another time whenever it is sent.
        time: -1 - i,
      })),
    }),
  },
  {
    name: 'webhook receive',
    statements: 2,
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

/** The cases that there are for applications of such owners. */
export const casesOf = (ownedBy: OwnedBy): Case[] => CASES.filter(({ of = ownedBy }) => of === ownedBy);

/** The request as it goes over the wire. */
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
