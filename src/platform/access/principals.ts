import { Injectable } from '@nestjs/common';
import { sha256 } from '../../lib/crypto/hashes.js';
import { Database, type Statement } from '../database/database.js';
import { Unauthorized } from '../../lib/errors/errors.js';
import { issuedAtMs, type Claims } from './token-signer.js';
import type { Access } from './access-cache.js';
import { FLOW_SCOPE } from './kinds/flow.js';
import { PRINCIPAL_KINDS } from './kinds/kinds.js';
import { membershipsSql, parseMemberships } from './memberships.js';
import type { PathIds } from './places.js';
import { Principal } from './principal.js';
import type { PrincipalData, RoleCap, Subject } from './principal-data.js';
import { parseAccessContext, accessContextParameters, accessContextSql } from './access-context.js';

const TOKEN = `(SELECT json_build_object('id', t.id, 'name', t.name, 'hash', t.token_hash, 'status', t.status, 'scope', t.scope,
    'cap', json_strip_nulls(json_build_object('defaultRole', t.default_role, 'orgRoles', coalesce(t.org_roles, '[]'))))
  FROM api_tokens t WHERE t.id = $2 AND t.owner_id = u.id AND t.owner_type =`;

interface TokenRow {
  id: string;
  name: string;
  hash: string;
  status: string;
  scope: string[];
  cap: RoleCap;
}

type SubjectRow = Pick<
  PrincipalData,
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
  async load(token: string, claims: Claims, ids: PathIds): Promise<Access> {
    const subject: Subject = { type: claims.ownerType ?? 'user', id: claims.sub };
    const kind = PRINCIPAL_KINDS[subject.type];
    const isApi = claims.jti !== undefined;
    if (!(isApi ? kind.hasApiTokens : kind.signsIn)) throw new Unauthorized();
    // A request that names no place concerns everything that the user can access.
    const isWhole = kind.hasAccount && Object.values(ids).every((id) => id === undefined);
    const [row] = await this.database.read(statementOf(subject, isWhole ? undefined : ids, claims));
    if (!row) throw new Unauthorized();
    const [json, tokenJson, ...standing] = row;
    const { cutoff, ...facts } = JSON.parse(json!) as SubjectRow;
    const found = isWhole
      ? { memberships: parseMemberships(standing[0]!) }
      : parseAccessContext(standing[0], standing[1]);
    const times = { issuedAt: claims.iat, expiresAt: claims.exp };
    if (!isApi) {
      const voided = typeof cutoff === 'number' && issuedAtMs(claims) < cutoff;
      if (voided) throw new Unauthorized();
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

  /** Reads a workflow as a caller. Returns `undefined` if it, its application or the owner does not exist. */
  async loadFlow(id: string): Promise<Principal | undefined> {
    const { name, sql, from } = PRINCIPAL_KINDS.flow.reading({});
    const [row] = await this.database.read({
      name: `principal-${name}`,
      text: `SELECT ${sql} FROM ${from}`,
      values: [id],
    });
    if (!row) return undefined;
    const facts = JSON.parse(row[0]!) as SubjectRow;
    return new Principal({ subject: { type: 'flow', id }, ...facts, scopes: [FLOW_SCOPE], issuedAt: 0 });
  }
}

/** Reads all memberships of the user if no IDs are given. */
function statementOf(
  { type, id }: Subject,
  ids: PathIds | undefined,
  claims: Pick<Claims, 'jti' | 'key' | 'certificate'>,
): Statement {
  const kind = PRINCIPAL_KINDS[type];
  const { name, sql, from, credential } = kind.reading(claims);
  const isApi = claims.jti !== undefined;
  const token = isApi && kind.hasApiTokens ? `${TOKEN} '${type}')` : '$2::text';
  const standing = ids ? accessContextSql('$1', 3) : membershipsSql('$1');
  return {
    name: `principal-${name}-${isApi ? 'api' : 'session'}${ids ? '' : '-whole'}`,
    text: `SELECT ${sql}, ${token}, ${standing} FROM ${from}`,
    values: [id, claims.jti ?? credential ?? null, ...(ids ? accessContextParameters(ids) : [])],
  };
}
