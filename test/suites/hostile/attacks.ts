import { bodyAttacks, type Attack } from './bodies.js';
import { filled, requiredQuery, type Target } from './operations.js';
import { accessAttacks, pathAttacks, queryAttacks, verbAttacks } from './requests.js';
import type { Schemas } from './schemas.js';
import type { RawRequest } from './send.js';

/** Data that attacks are built from: schemas of the API, and the token of an authorized caller. */
export interface Attacker {
  schemas: Schemas;
  token: string;
}

export interface KindOfAttack {
  kind: string;
  attacks: Attack[];
}

/** Returns all attacks on an operation by kind; `ids` are those of existing rows. */
export function attacksOn(
  target: Target,
  ids: Readonly<Record<string, string>>,
  { schemas, token }: Attacker,
): KindOfAttack[] {
  const path = filled(target.path, ids);
  return [
    { kind: 'body', attacks: bodyAttacks(target, schemas) },
    { kind: 'query', attacks: queryAttacks(target, schemas) },
    { kind: 'path', attacks: pathAttacks(target, ids) },
    { kind: 'token', attacks: accessAttacks(target, path, token) },
    { kind: 'verb', attacks: verbAttacks(target, path) },
  ];
}

/** Returns an otherwise valid request with the attack. */
export function requestOf(
  target: Target,
  attack: Attack,
  ids: Readonly<Record<string, string>>,
  { schemas, token }: Attacker,
): RawRequest {
  const { method = target.method, path = filled(target.path, ids), headers } = attack;
  const { query = requiredQuery(target.query, schemas) } = attack;
  const needsBody = !('body' in attack) && target.body && method === target.method;
  const body = needsBody ? JSON.stringify(schemas.sample(target.body!)) : attack.body;
  const all = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    authorization: `Bearer ${token}`,
    ...headers,
  };
  return {
    method,
    path: query ? `${path}?${query}` : path,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    body,
  };
}
