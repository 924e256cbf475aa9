import { Injectable } from '@nestjs/common';
import { sha256 } from '../crypto/hashes.js';
import { Database } from '../database/database.js';
import { Unauthorized } from '../errors/errors.js';
import type { Claims } from '../tokens/token-signer.js';
import type { Access } from './access-cache.js';
import { parsePlace, placeParameters, placeSql, type WantedPlace } from './places.js';
import { Principal, type PrincipalFacts, type RoleCap, type Subject } from './principal.js';

const FROZEN = '(o.is_read_only OR coalesce(o.disabled_at <= now(), false))';
/** Whether the user has no second factor, and the organization or instance asks those of the role for one. */
const lockedBy = (mfaMode: string, role: string): string => `(u.two_factor_key IS NULL AND NOT u.sso_linked
  AND (${mfaMode} = 'required' OR ${mfaMode} = 'adminRequired' AND ${role} = 'admin'))`;
const APPLICATION_LIMIT = (owner: string): string => `(${owner}.limits->>'application')::float8`;
const MEMBERSHIPS = `(SELECT coalesce(json_agg(json_build_object(
    'orgId', m.org_id, 'role', m.role, 'applicationRoles', m.application_roles,
    'applicationLimit', ${APPLICATION_LIMIT('o')},
    'frozen', ${FROZEN}, 'locked', coalesce(${lockedBy('o.mfa_mode', 'm.role')}, false))), '[]')
  FROM org_members m JOIN orgs o ON o.id = m.org_id AND o.deleted_at IS NULL WHERE m.user_id = u.id)`;
const INSTANCES = `(SELECT coalesce(json_agg(json_build_object('instanceId', i.instance_id, 'role', i.role,
    'locked', coalesce(${lockedBy('n.mfa_mode', 'i.role')}, false))), '[]')
  FROM instance_members i JOIN instances n ON n.id = i.instance_id WHERE i.user_id = u.id)`;

/** Each statement reads who a kind of subject is, as one JSON value, and the place that the request is about. */
const FACTS: Record<Subject['type'], { sql: string; from: string }> = {
  user: {
    sql: `json_build_object('name', u.email, 'memberships', ${MEMBERSHIPS}, 'instances', ${INSTANCES},
      'applicationLimit', ${APPLICATION_LIMIT('u')},
      'cutoff', (extract(epoch FROM u.token_cutoff) * 1000)::bigint)`,
    from: 'users u WHERE u.id = $1 AND u.permanent_deletion IS NULL',
  },
  application: {
    sql: `json_build_object('name', u.name, 'application', json_build_object('ownerId', u.owner_id,
      'frozen', coalesce((SELECT ${FROZEN} FROM orgs o WHERE o.id = u.owner_id), false)))`,
    from: `applications u WHERE u.id = $1 AND u.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM users d WHERE d.id = u.owner_id AND d.permanent_deletion IS NOT NULL)
      AND NOT EXISTS (SELECT FROM orgs d WHERE d.id = u.owner_id AND d.deleted_at IS NOT NULL)`,
  },
  instance: {
    sql: `json_build_object('name', u.name,
      'instances', json_build_array(json_build_object('instanceId', u.id, 'role', 'admin')))`,
    from: 'instances u WHERE u.id = $1',
  },
};
const TOKEN = `(SELECT json_build_object('id', t.id, 'name', t.name, 'hash', t.token_hash, 'status', t.status, 'scope', t.scope,
    'cap', json_strip_nulls(json_build_object('defaultRole', t.default_role, 'orgRoles', coalesce(t.org_roles, '[]'))))
  FROM api_tokens t WHERE t.id = $4 AND t.owner_id = u.id AND t.owner_type =`;

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
  'name' | 'memberships' | 'instances' | 'applicationLimit' | 'application'
> & {
  /** Sign-in tokens from before this time are void; milliseconds since the epoch. */
  cutoff?: number | null;
};

/** Reads who a verified token speaks for and the place that its request is about, together in one statement. */
@Injectable()
export class Principals {
  constructor(private readonly database: Database) {}

  /** Of a token whose signature and times are in order. Throws `Unauthorized` when it was revoked. */
  async of(token: string, claims: Claims, wanted?: WantedPlace): Promise<Access> {
    const subject: Subject = { type: claims.ownerType ?? 'user', id: claims.sub };
    const { sql, from } = FACTS[subject.type];
    const api = claims.jti !== undefined;
    const [row] = await this.database.read({
      name: `principal-${subject.type}-${api ? 'api' : 'session'}`,
      text: `SELECT ${sql}, ${placeSql('$2', '$3')}${api ? `, ${TOKEN} '${subject.type}')` : ''} FROM ${from}`,
      values: [subject.id, ...placeParameters(wanted), ...(api ? [claims.jti] : [])],
    });
    if (!row) throw new Unauthorized();
    const { cutoff, ...facts } = JSON.parse(row[0]!) as SubjectRow;
    const times = { issuedAt: claims.iat, expiresAt: claims.exp };
    const place = parsePlace(row[1]);
    if (!api) {
      const voided = typeof cutoff === 'number' && claims.iat * 1000 < cutoff;
      if (voided || subject.type !== 'user') throw new Unauthorized();
      return { principal: new Principal({ subject, ...facts, ...times, scopes: claims.scope }), place };
    }
    const found = row[2] ? (JSON.parse(row[2]) as TokenRow) : undefined;
    if (found?.hash !== sha256(token) || found.status !== 'active') throw new Unauthorized();
    const { id, name, scope, cap } = found;
    return {
      principal: new Principal({ subject, ...facts, ...times, token: { id, name }, scopes: scope, cap }),
      place,
    };
  }
}
