import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type FindOptionsWhere, type Repository } from 'typeorm';
import type { Changes } from '../../../platform/database/changes.js';
import { Database, violatedUnique, type Transaction } from '../../../platform/database/database.js';
import type { RowShape } from '../../../platform/database/row-shape.js';
import { prepared, returning, shaped, update } from '../../../platform/database/statements.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { newId } from '../../../platform/repositories/resource.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { NEXT_CUTOFF, ISSUED_AT, MEMBERSHIP_TABLES, type MembershipTable } from './user.columns.js';
import { User } from './user.entity.js';

const NOT_DELETED = 't.permanent_deletion IS NULL';
const IDENTITY = `SELECT t.id, t.email, CASE WHEN t.sso_linked THEN NULL ELSE t.password_hash END AS password_hash, t.two_factor_key
  FROM users t WHERE ${NOT_DELETED}`;
/** A password that was changed after its verification cannot be used to sign in. */
const RECORD_SIGN_IN = `UPDATE users t SET last_successful_login = now(), failed_login_count = 0
  WHERE t.id = $1 AND t.password_hash = $2 AND NOT t.sso_linked AND ${NOT_DELETED} RETURNING t.id, ${ISSUED_AT}`;
/** A token from before the cutoff is not refreshed; waits for a concurrent change of the cutoff. */
const RECORD_REFRESH = `SELECT t.id, ${ISSUED_AT} FROM users t
  WHERE t.id = $1 AND (t.token_cutoff IS NULL OR t.token_cutoff <= $2) AND ${NOT_DELETED} FOR SHARE`;
const SET_PASSWORD = `UPDATE users t SET password_hash = $2, password_last_updated = now(), last_updated = now(),
    token_cutoff = CASE WHEN $3 THEN ${NEXT_CUTOFF} ELSE token_cutoff END
  WHERE t.id = $1 RETURNING t.id, ${ISSUED_AT}`;
const RECORD_FAILURE = `UPDATE users t SET last_failed_login = now(), failed_login_count = failed_login_count + 1
  WHERE t.email = $1 AND ${NOT_DELETED}`;
const CONSUME_STEP = `UPDATE users SET two_factor_step = $2 WHERE id = $1 AND two_factor_step < $2 RETURNING id`;
/**
 * The user linked to the identity takes precedence over one with a matching verified address. The first sign-in creates
 * the link.
 */
const LINK_CODEHOST = `WITH found AS (
    SELECT t.id FROM users t
    WHERE ${NOT_DELETED} AND NOT t.sso_linked AND (t.codehost_id = $1 OR (t.codehost_id IS NULL AND t.email_verified AND t.email = ANY($3::text[])))
    ORDER BY t.codehost_id NULLS LAST, t.id LIMIT 1 FOR UPDATE)
  UPDATE users t SET codehost_id = $1, github_name = $2, last_successful_login = now(), failed_login_count = 0
  FROM found WHERE t.id = found.id RETURNING t.id, ${ISSUED_AT}`;
/**
 * The provider is authoritative for its domain, so its assertion of an address identifies the user. An existing user is
 * linked; otherwise, one is created. A user with an unverified address is not linked.
 */
const LINK_SSO = `INSERT INTO users AS t (id, creation_date, last_updated, email, email_verified, sso_linked, first_name, last_name, last_successful_login, instance_id)
  VALUES ($1, $2, $2, $3, true, true, $4, $5, $2, (SELECT id FROM instances ORDER BY id LIMIT 1))
  ON CONFLICT (email) WHERE permanent_deletion IS NULL DO UPDATE
    SET sso_linked = true, last_successful_login = excluded.last_successful_login, failed_login_count = 0 WHERE t.email_verified RETURNING t.id, ${ISSUED_AT}`;
const LOCK_MEMBERSHIPS = ({ table, members, key, there }: MembershipTable): string =>
  `SELECT p.id FROM ${table} p JOIN ${members} m ON m.${key} = p.id
   WHERE m.user_id = $1 AND ${there} ORDER BY p.id FOR NO KEY UPDATE OF p`;
const SOLE_ADMIN_OF = ({ table, members, key }: MembershipTable): string =>
  `SELECT p.name FROM ${table} p JOIN ${members} own ON own.${key} = p.id AND own.user_id = $2 AND own.role = 'admin'
   WHERE p.id = ANY($1) AND NOT EXISTS (
     SELECT FROM ${members} m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL
     WHERE m.${key} = p.id AND m.role = 'admin' AND m.user_id <> $2) LIMIT 1`;

/** Error messages for unique values that belong to another user, by name of the unique index. */
export type ConflictMessages = Readonly<Partial<Record<'users_email' | 'users_codehost', string>>>;

/** A signed-in user with the sign-in time from the database clock, which is the issue time of their token. */
export interface SignedIn {
  id: string;
  issuedAt: Date;
}

/** Credentials of a user; without a password if they sign in through an identity provider. */
export interface Identity {
  id: string;
  email: string;
  passwordHash: string | null;
  /** Encrypted; set while two-factor authentication is enabled. */
  twoFactorKey: string | null;
}

/**
 * Repository of users. They have no owner: access has already been checked. Deleted users are only found by methods
 * that explicitly include them.
 */
@Injectable()
export class UsersRepository {
  constructor(
    @InjectRepository(User) private readonly rows: Repository<User>,
    private readonly database: Database,
  ) {}

  /** Returns the user in the given shape, or `undefined` if they do not exist. */
  async read<V>(shape: RowShape<V>, id: string): Promise<StoredResource<V> | undefined> {
    const text = shape.select(`FROM users t WHERE t.id = $1 AND ${NOT_DELETED}`);
    const [row] = await this.database.run(shaped(text, [id]));
    return row && new StoredResource(shape, row);
  }

  /** Updates the user and returns them in the given shape, or `undefined` if they do not exist. */
  async change<V>(
    shape: RowShape<V>,
    id: string,
    changes: Changes<User>,
  ): Promise<StoredResource<V> | undefined> {
    const set = { ...changes, lastUpdated: new Date() };
    const change = update(User, 'users', set, ['t.id = $1', NOT_DELETED], [id]);
    const [row] = await this.database.run(returning(change, shape.columns));
    return row && new StoredResource(shape, row);
  }

  /** Returns the user with these values, or `null`. */
  find(where: FindOptionsWhere<User>, transaction?: Transaction): Promise<User | null> {
    return this.within(transaction).findOneBy({ ...where, permanentDeletion: IsNull() });
  }

  /** Returns the user and prevents their deletion until the transaction ends. */
  lockAgainstDeletion(id: string, transaction: Transaction): Promise<User | null> {
    return locked({ id, permanentDeletion: IsNull() }, 'for_key_share', transaction);
  }

  /** Locks the user with these values until the transaction ends, so that dependent changes are serialized. */
  lock(where: FindOptionsWhere<User>, transaction: Transaction): Promise<User | null> {
    return locked({ ...where, permanentDeletion: IsNull() }, 'for_no_key_update', transaction);
  }

  /** Locks a user, of the given instance if any, until the transaction ends, so that they can be deleted. */
  lockToDelete(id: string, instanceId: string | undefined, transaction: Transaction): Promise<User | null> {
    const standing = instanceId === undefined ? {} : { instanceId };
    return locked({ id, ...standing, permanentDeletion: IsNull() }, 'pessimistic_write', transaction);
  }

  /** Locks a user of an instance until the transaction ends, including a deleted one whose data still exists. */
  lockKnown(instanceId: string, id: string, transaction: Transaction): Promise<User | null> {
    return locked({ instanceId, id }, 'for_no_key_update', transaction);
  }

  /** Returns the identity of a user by ID or e-mail address. */
  async identity(by: 'id' | 'email', value: string): Promise<Identity | undefined> {
    const [identity] = await this.database.rows<Identity>(prepared(`${IDENTITY} AND t.${by} = $1`, [value]));
    return identity;
  }

  /** Signs in a user whose password was verified against this hash. Returns `undefined` if the hash has changed. */
  signIn(id: string, passwordHash: string): Promise<SignedIn | undefined> {
    return this.signedIn(RECORD_SIGN_IN, [id, passwordHash]);
  }

  /** Refreshes a sign-in from `since`. Returns `undefined` if it was revoked. */
  refresh(id: string, since: Date): Promise<SignedIn | undefined> {
    return this.signedIn(RECORD_REFRESH, [id, since]);
  }

  /** Changes the password of a locked user and, if requested, revokes their session tokens. */
  async setPassword(
    id: string,
    passwordHash: string,
    endsSessions: boolean,
    transaction: Transaction,
  ): Promise<SignedIn> {
    const values = [id, passwordHash, endsSessions];
    const [user] = await transaction.rows<SignedIn>(prepared(SET_PASSWORD, values));
    return user!;
  }

  /** Returns the time of the clock that sets cutoffs. */
  async clock(transaction: Transaction): Promise<Date> {
    const [row] = await transaction.rows<{ now: Date }>(prepared('SELECT clock_timestamp() AS now', []));
    return row!.now;
  }

  async recordFailedSignIn(email: string): Promise<void> {
    await this.database.run(prepared(RECORD_FAILURE, [email]));
  }

  /** Consumes a time step of the user's second factor. Returns `false` if it or a later one has been used. */
  async consumeStep(id: string, step: number): Promise<boolean> {
    return (await this.database.run(prepared(CONSUME_STEP, [id, step]))).length > 0;
  }

  /**
   * Signs in the user of an account at the code-hosting provider, and links it. Returns `undefined` if no user matches.
   */
  signInLinked(account: { id: string; login: string; addresses: string[] }): Promise<SignedIn | undefined> {
    return this.signedIn(LINK_CODEHOST, [account.id, account.login, account.addresses]);
  }

  /**
   * Signs in the user named by their identity provider, creating or linking the account. Returns `undefined` if the
   * address is not verified.
   */
  signInNamed(named: {
    email: string;
    firstName?: string;
    lastName?: string;
  }): Promise<SignedIn | undefined> {
    const { email, firstName = null, lastName = null } = named;
    return this.signedIn(LINK_SSO, [newId(), new Date(), email, firstName, lastName]);
  }

  /** Updates a user read in the transaction. Throws 400 from `taken` if a unique value belongs to another user. */
  async set(
    id: string,
    changes: Partial<User>,
    { manager }: Transaction,
    taken: ConflictMessages = {},
  ): Promise<void> {
    try {
      await manager.getRepository(User).update({ id }, { lastUpdated: new Date(), ...changes });
    } catch (error) {
      const message = taken[violatedUnique(error) as keyof ConflictMessages];
      throw message === undefined ? error : new ValidationError(message);
    }
  }

  /**
   * Returns a resource that would be left without an admin if the user were deleted. All resources of the user remain
   * locked, so that two admins cannot leave concurrently.
   */
  async soleAdminOf(
    id: string,
    transaction: Transaction,
  ): Promise<{ kind: MembershipTable['kind']; name: string } | undefined> {
    for (const place of MEMBERSHIP_TABLES) {
      const places = await transaction.rows<{ id: string }>(prepared(LOCK_MEMBERSHIPS(place), [id]));
      const values = [places.map((each) => each.id), id];
      const [left] = await transaction.rows<{ name: string }>(prepared(SOLE_ADMIN_OF(place), values));
      if (left) return { kind: place.kind, name: left.name };
    }
    return undefined;
  }

  /** Whether the user was deleted and can no longer be restored. */
  isOver(id: string): Promise<boolean> {
    return this.rows.existsBy({ id, dataDeletion: Raw((column) => `${column} <= now()`) });
  }

  private async signedIn(text: string, values: unknown[]): Promise<SignedIn | undefined> {
    const [user] = await this.database.rows<SignedIn>(prepared(text, values));
    return user;
  }

  private within(transaction: Transaction | undefined): Repository<User> {
    return transaction ? transaction.manager.getRepository(User) : this.rows;
  }
}

function locked(
  where: FindOptionsWhere<User>,
  mode: 'for_key_share' | 'for_no_key_update' | 'pessimistic_write',
  { manager }: Transaction,
): Promise<User | null> {
  return manager.getRepository(User).findOne({ where, lock: { mode } });
}
