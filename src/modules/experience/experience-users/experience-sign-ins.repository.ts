import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';

/** Facts by which a sign-in is decided. */
export interface SignInFacts {
  /** Owner of the application. */
  ownerId: string;
  /** `null` if no user was found. */
  id: string | null;
  passwordHash: string | null;
  /** Tokens that were issued earlier are invalid. */
  tokenCutoff: Date | null;
}

const facts = (condition: string): string => `SELECT a.owner_id, t.id, t.password_hash,
    greatest(t.token_cutoff, a.exp_user_token_cutoff) AS token_cutoff
  FROM applications a LEFT JOIN experience_users t ON t.application_id = a.id AND ${condition}
  WHERE a.id = $1 AND a.deleted_at IS NULL`;
const BY_EMAIL = facts('t.email = $2');
const BY_ID = facts('t.id = $2');

/** The clock of the database, as precise as the columns. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;
const SIGNED_IN = `UPDATE experience_users t SET
    last_login = CASE WHEN $3 THEN n.time ELSE t.last_login END,
    token_cutoff = CASE WHEN $4 THEN n.time ELSE t.token_cutoff END
  FROM (SELECT ${NOW} AS time) n WHERE t.application_id = $1 AND t.id = $2 RETURNING n.time`;

/** Reads and records sign-ins of users of experiences. */
@Injectable()
export class ExperienceSignInsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the facts of the user with an email address in canonical form, or `undefined` without the application. */
  async byEmail(applicationId: string, email: string): Promise<SignInFacts | undefined> {
    const [row] = await this.database.rows<SignInFacts>(prepared(BY_EMAIL, [applicationId, email]));
    return row;
  }

  async byId(applicationId: string, id: string): Promise<SignInFacts | undefined> {
    const [row] = await this.database.rows<SignInFacts>(prepared(BY_ID, [applicationId, id]));
    return row;
  }

  /**
   * Records the time of a sign-in, and invalidates earlier tokens, if asked. Returns the time, or `undefined` if the user
   * does not exist.
   */
  async record(
    applicationId: string,
    id: string,
    { isLogin, revokes }: { isLogin: boolean; revokes: boolean },
  ): Promise<Date | undefined> {
    const values = [applicationId, id, isLogin, revokes];
    const [row] = await this.database.rows<{ time: Date }>(prepared(SIGNED_IN, values));
    return row?.time;
  }
}
