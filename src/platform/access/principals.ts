import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Unauthorized } from '../errors/errors.js';
import { sha256 } from '../crypto/hashes.js';
import type { Claims } from '../tokens/token-signer.js';
import { Principal, type Membership, type PrincipalFacts } from './principal.js';

const MEMBERSHIPS = `(SELECT coalesce(json_agg(json_build_object(
    'orgId', m.org_id, 'role', m.role, 'applicationRoles', m.application_roles)), '[]')
  FROM org_members m JOIN orgs o ON o.id = m.org_id AND o.deleted_at IS NULL WHERE m.user_id = u.id)`;
const INSTANCES = `(SELECT coalesce(json_agg(json_build_object('instanceId', i.instance_id, 'role', i.role)), '[]')
  FROM instance_members i WHERE i.user_id = u.id)`;
const USER = `u.id, u.email, (extract(epoch FROM u.token_cutoff) * 1000)::bigint, ${MEMBERSHIPS}, ${INSTANCES}`;

const OF_SESSION = `SELECT ${USER} FROM users u WHERE u.id = $1`;
const OF_API_TOKEN = `SELECT ${USER}, t.token_hash, t.status, t.scope, t.default_role, t.org_roles
  FROM api_tokens t JOIN users u ON u.id = t.owner_id AND t.owner_type = 'user'
  WHERE t.id = $2 AND t.owner_id = $1`;

/** Reads who a verified token speaks for, in one statement. */
@Injectable()
export class Principals {
  constructor(private readonly database: Database) {}

  /** The principal of a token whose signature and times are in order. Throws `Unauthorized` when it was revoked. */
  async of(token: string, claims: Claims): Promise<Principal> {
    return claims.jti ? this.ofApiToken(token, claims, claims.jti) : this.ofSession(claims);
  }

  private async ofSession(claims: Claims): Promise<Principal> {
    const [row] = await this.database.run({
      name: 'principal-session',
      text: OF_SESSION,
      values: [claims.sub],
    });
    if (!row) throw new Unauthorized();
    const cutoff = row[2] ?? null;
    if (cutoff !== null && claims.iat * 1000 < Number(cutoff)) throw new Unauthorized();
    return new Principal(factsOf(row, claims, claims.scope));
  }

  private async ofApiToken(token: string, claims: Claims, id: string): Promise<Principal> {
    const [row] = await this.database.run({
      name: 'principal-api-token',
      text: OF_API_TOKEN,
      values: [claims.sub, id],
    });
    const [hash, status, scope, defaultRole, orgRoles] = row?.slice(5) ?? [];
    if (!row || hash !== sha256(token) || status !== 'active') throw new Unauthorized();
    return new Principal({
      ...factsOf(row, claims, JSON.parse(scope ?? '[]') as string[]),
      tokenId: id,
      cap: {
        defaultRole: (defaultRole ?? undefined) as Membership['role'] | undefined,
        orgRoles: JSON.parse(orgRoles ?? '[]') as NonNullable<PrincipalFacts['cap']>['orgRoles'],
      },
    });
  }
}

function factsOf(row: readonly (string | null)[], claims: Claims, scopes: readonly string[]): PrincipalFacts {
  return {
    userId: row[0]!,
    name: row[1] ?? undefined,
    memberships: JSON.parse(row[3] ?? '[]') as Membership[],
    instances: JSON.parse(row[4] ?? '[]') as PrincipalFacts['instances'],
    scopes,
    issuedAt: claims.iat,
    expiresAt: claims.exp,
  };
}
