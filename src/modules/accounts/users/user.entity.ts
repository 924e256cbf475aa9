import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Resource } from '../../../platform/repositories/resource.js';
import { Instance } from '../instances/instance.resource.js';

/** A user, as stored. What is shown of one depends on who looks: `User` is for themselves, `InstanceSandbox` for others. */
@Entity('users')
@Index('users_by_instance', ['instanceId', 'email', 'id'])
export class User extends Resource {
  /** Where the user's sandbox stands. */
  @ForeignKey(() => Instance)
  @Column({ type: 'text' })
  instanceId: string;

  /** Canonical: lower case. An account that is to be deleted leaves its address to others. */
  @Index('users_email', { unique: true, where: 'permanent_deletion IS NULL' })
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'boolean' })
  emailVerified: boolean;

  @Column({ type: 'text', nullable: true })
  firstName: string | null;

  @Column({ type: 'text', nullable: true })
  lastName: string | null;

  @Column({ type: 'text', nullable: true })
  companyName: string | null;

  @Column({ type: 'text', nullable: true })
  title: string | null;

  @Column({ type: 'text', nullable: true })
  location: string | null;

  @Column({ type: 'text', nullable: true })
  phoneNumber: string | null;

  @Column({ type: 'text', nullable: true })
  url: string | null;

  /** What the code-hosting provider calls them. */
  @Column({ type: 'text', nullable: true })
  githubName: string | null;

  @Column({ type: 'boolean' })
  ssoLinked: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  passwordLastUpdated: Date | null;

  /** Sign-in tokens from before this time are void. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  tokenCutoff: Date | null;

  /** What they may have at most in their sandbox. */
  @Column({ type: 'jsonb', nullable: true })
  limits: object | null;

  /** argon2id; absent for users who sign in through a provider only. */
  @Column({ type: 'text', nullable: true })
  passwordHash: string | null;

  /** The second factor's key, encrypted; set while it is on. */
  @Column({ type: 'text', nullable: true })
  twoFactorKey: string | null;

  /** A key that was handed out and is not confirmed yet, encrypted. */
  @Column({ type: 'text', nullable: true })
  twoFactorPending: string | null;

  /** The time step of the last code taken, so that none works twice. */
  @Column({ type: 'integer', default: 0 })
  twoFactorStep: number;

  /** The user at the code-hosting provider. */
  @Index('users_codehost', { unique: true, where: 'codehost_id IS NOT NULL AND permanent_deletion IS NULL' })
  @Column({ type: 'text', nullable: true })
  codehostId: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSuccessfulLogin: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastFailedLogin: Date | null;

  /** Since the last sign-in that succeeded. */
  @Column({ type: 'integer', default: 0 })
  failedLoginCount: number;

  /** When the account was deleted: from then on it is to be found among deleted sandboxes only. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  permanentDeletion: Date | null;

  /** When all that it has is removed; until then the deletion can be taken back. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dataDeletion: Date | null;
}
