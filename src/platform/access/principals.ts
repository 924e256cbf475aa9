import { Injectable } from '@nestjs/common';
import { sha256 } from '../../lib/crypto/hashes.js';
import { Database, type Statement } from '../database/database.js';
import { Unauthorized } from '../../lib/errors/errors.js';
import { issuedAtMs, type Claims } from './token-signer.js';
import type { Access } from './access-cache.js';
import {
  ADDRESS_RULE_SQL,
  CERTIFICATE_CREDENTIALS_SQL,
  CERTIFICATE_REACH_SQL,
  DEVICES_WITH_CERTIFICATES,
  DEVICES_WITH_KEYS,
  KEY_REACH_SQL,
} from './device-access.js';
import {
  applicationLimitSql,
  frozenSql,
  lockedSql,
  membershipsSql,
  parseMemberships,
  MOST_INSTANCES,
} from './memberships.js';
import type { PathIds } from './places.js';
import { Principal, type PrincipalFacts, type RoleCap, type Subject } from './principal.js';
import { parseStanding, standingParameters, standingSql } from './standing.js';

const INSTANCES = `(SELECT coalesce(json_agg(place), '[]') FROM (
    SELECT json_build_object('instanceId', i.instance_id, 'role', i.role, 'locked', ${lockedSql('n.mfa_mode', 'i.role', 'u.id')}) AS place
    FROM instance_members i JOIN instances n ON n.id = i.instance_id WHERE i.user_id = u.id
    ORDER BY i.instance_id LIMIT ${MOST_INSTANCES}) places)`;

/** SQL for the application `row` of a token's subject, or of its device. */
const applicationSql = (
  row: string,
): string => `json_build_object('id', ${row}.id, 'ownerId', ${row}.owner_id,
  'frozen', coalesce((SELECT ${frozenSql('o')} FROM orgs o WHERE o.id = ${row}.owner_id), false))`;

/** Devices have two kinds, depending on the credential with which they signed in. */
type SubjectKind = Subject['type'] | 'device-certificate';

/**
 * Data read for each kind of subject, as one JSON value. `$2` is the ID of its API token, or the device's credential.
 */
const FACTS: Record<SubjectKind, { sql: string; from: string }> = {
  user: {
    sql: `json_build_object('name', u.email, 'isMember', EXISTS (SELECT FROM org_members m WHERE m.user_id = u.id),
      'instances', ${INSTANCES}, 'applicationLimit', ${applicationLimitSql('u')},
      'cutoff', (extract(epoch FROM u.token_cutoff) * 1000)::bigint)`,
    from: 'users u WHERE u.id = $1 AND u.permanent_deletion IS NULL',
  },
  application: {
    sql: `json_build_object('name', u.name, 'application', ${applicationSql('u')})`,
    from: `applications u WHERE u.id = $1 AND u.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM users d WHERE d.id = u.owner_id AND d.permanent_deletion IS NOT NULL)
      AND NOT EXISTS (SELECT FROM orgs d WHERE d.id = u.owner_id AND d.deleted_at IS NOT NULL)`,
  },
  instance: {
    sql: `json_build_object('name', u.name,
      'instances', json_build_array(json_build_object('instanceId', u.id, 'role', 'admin')))`,
    from: 'instances u WHERE u.id = $1',
  },
  device: {
    sql: `json_build_object('name', d.name, 'application', ${applicationSql('a')}, 'credentials', json_build_array(k.id),
      'devices', ${KEY_REACH_SQL}, 'addresses', ${ADDRESS_RULE_SQL})`,
    from: `${DEVICES_WITH_KEYS} AND d.id = $1 AND k.id = $2`,
  },
  'device-certificate': {
    sql: `json_build_object('name', d.name, 'application', ${applicationSql('a')},
      'credentials', ${CERTIFICATE_CREDENTIALS_SQL}, 'devices', ${CERTIFICATE_REACH_SQL})`,
    from: `${DEVICES_WITH_CERTIFICATES} AND d.id = $1`,
  },
};
const TOKEN = `(SELECT json_build_object('id', t.id, 'name', t.name, 'hash', t.token_hash, 'status', t.status, 'scope', t.scope,
    'cap', json_strip_nulls(json_build_object('defaultRole', t.default_role, 'orgRoles', coalesce(t.org_roles, '[]'))))
  FROM api_tokens t WHERE t.id = $2 AND t.owner_id = u.id AND t.owner_type =`;

/** Subjects that sign in. All others only have API tokens. */
const SIGN_IN: ReadonlySet<Subject['type']> = new Set(['user', 'device']);

interface TokenRow {
  id: string;
  name: string;
  hash: string;
  status: string;
  scope: string[];
  cap: RoleCap;
}

type SubjectRow = Pick<
  PrincipalFacts,
  | 'name'
  | 'isMember'
  | 'instances'
  | 'applicationLimit'
  | 'application'
  | 'credentials'
  | 'devices'
  | 'addresses'
> & {
  /** Session tokens issued before this time are invalid; milliseconds since the epoch. */
  cutoff?: number | null;
};

/** Reads the subject of a verified token and the data needed to authorize its request, in one statement. */
@Injectable()
export class Principals {
  constructor(private readonly database: Database) {}

  /**
   * Reads the principal of a token whose signature and validity have been verified, for a request whose path has these
   * IDs. Throws `Unauthorized` if the token was revoked.
   */
  async of(token: string, claims: Claims, ids: PathIds): Promise<Access> {
    const subject: Subject = { type: claims.ownerType ?? 'user', id: claims.sub };
    const isApi = claims.jti !== undefined;
    // A request that names no place concerns everything that the user can access.
    const isWhole = subject.type === 'user' && Object.values(ids).every((id) => id === undefined);
    const [row] = await this.database.read(statementOf(subject, isWhole ? undefined : ids, claims));
    if (!row) throw new Unauthorized();
    const [json, tokenJson, ...standing] = row;
    const { cutoff, ...facts } = JSON.parse(json!) as SubjectRow;
    const found = isWhole
      ? { memberships: parseMemberships(standing[0]!) }
      : parseStanding(standing[0], standing[1]);
    const times = { issuedAt: claims.iat, expiresAt: claims.exp };
    if (!isApi) {
      const voided = typeof cutoff === 'number' && issuedAtMs(claims) < cutoff;
      if (voided || !SIGN_IN.has(subject.type)) throw new Unauthorized();
      return { principal: new Principal({ subject, ...facts, ...times, scopes: claims.scope }), ...found };
    }
    const api = tokenJson ? (JSON.parse(tokenJson) as TokenRow) : undefined;
    if (api?.hash !== sha256(token) || api.status !== 'active') throw new Unauthorized();
    const { id, name, scope, cap } = api;
    return {
      principal: new Principal({ subject, ...facts, ...times, token: { id, name }, scopes: scope, cap }),
      ...found,
    };
  }
}

/** Reads all memberships of the user if no IDs are given. */
function statementOf(
  { type, id }: Subject,
  ids: PathIds | undefined,
  { jti, key, certificate }: Pick<Claims, 'jti' | 'key' | 'certificate'>,
): Statement {
  const kind = type === 'device' && certificate ? 'device-certificate' : type;
  const { sql, from } = FACTS[kind];
  const isApi = jti !== undefined;
  // Devices have no rows in `api_tokens`.
  const token = isApi && type !== 'device' ? `${TOKEN} '${type}')` : '$2::text';
  const standing = ids ? standingSql('$1', 3) : membershipsSql('$1');
  return {
    name: `principal-${kind}-${isApi ? 'api' : 'session'}${ids ? '' : '-whole'}`,
    text: `SELECT ${sql}, ${token}, ${standing} FROM ${from}`,
    values: [
      id,
      jti ?? key ?? (certificate ? JSON.stringify(certificate) : null),
      ...(ids ? standingParameters(ids) : []),
    ],
  };
}
