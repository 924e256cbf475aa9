import type { Role } from '../../operations/operation.js';
import { frozenSql } from '../memberships.js';

/** Claims of a token that identify the credential with which a device signed in. */
export interface CredentialClaims {
  key?: string;
  certificate?: object;
}

/** How to read the data of a principal: SQL of one JSON value with properties of `PrincipalData`. */
export interface Reading {
  /** Name of the statement, unique among all kinds. */
  name: string;
  sql: string;
  /** SQL after `FROM`. `$1` is the ID of the principal, `$2` the ID of its API token, or else `credential`. */
  from: string;
  credential?: string;
}

/** Declaration of a kind of principals. Everything that differs between kinds is declared here. */
export interface PrincipalKind {
  /**
   * Returns how a principal is read. The statement has no rows if its tokens are invalid. If the kind has API tokens,
   * the row of the principal is called `u`.
   */
  reading: (claims: CredentialClaims) => Reading;
  /** Whether principals sign in, and so have session tokens. */
  signsIn: boolean;
  hasApiTokens: boolean;
  /** Whether principals own applications and are members of organizations. */
  hasAccount: boolean;
  /** Role on the application to which a principal belongs, if any; it has no role on others. */
  roleInside?: Role;
  /** The limit on the requests of an owner against which those of a principal count. Absent if no limit applies. */
  requestLimit?: 'owner' | 'fleet';
  /** Type of the actor in audit logs for a principal without an API token. */
  actorType: string;
}

/** SQL condition that the application `row` and its owner exist. */
export const existingApplicationSql = (row: string): string => `${row}.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM users d WHERE d.id = ${row}.owner_id AND d.permanent_deletion IS NOT NULL)
      AND NOT EXISTS (SELECT FROM orgs d WHERE d.id = ${row}.owner_id AND d.deleted_at IS NOT NULL)`;

/** SQL for the application `row` to which a principal belongs. */
export const applicationSql = (
  row: string,
): string => `json_build_object('id', ${row}.id, 'ownerId', ${row}.owner_id,
  'frozen', coalesce((SELECT ${frozenSql('o')} FROM orgs o WHERE o.id = ${row}.owner_id), false))`;
