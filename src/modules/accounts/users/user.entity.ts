import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Resource } from '../../../platform/repositories/resource.js';
import { Instance } from '../instances/instance.resource.js';

/**
 * User as stored. Its representation depends on the caller: `Me` for users themselves, `InstanceSandbox` for others.
 */
@Entity('users')
@Index('users_by_instance', ['instanceId', 'email', 'id'])
export class User extends Resource {
  /** Instance that the user's sandbox belongs to. */
  @ForeignKey(() => Instance)
  @Column({ type: 'text' })
  instanceId: string;

  /** Canonical form: lower case. A deleted account releases its address. */
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

  /** Name of the user at the code-hosting provider. */
  @Column({ type: 'text', nullable: true })
  githubName: string | null;

  @Column({ type: 'boolean' })
  ssoLinked: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  passwordLastUpdated: Date | null;

  /** Session tokens issued before this time are rejected. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  tokenCutoff: Date | null;

  /** Resource limits of the user's sandbox. */
  @Column({ type: 'jsonb', nullable: true })
  limits: object | null;

  /** argon2id hash; absent for users who only sign in through a provider. */
  @Column({ type: 'text', nullable: true })
  passwordHash: string | null;

  /** Encrypted key of the second factor; set while two-factor authentication is enabled. */
  @Column({ type: 'text', nullable: true })
  twoFactorKey: string | null;

  /** Encrypted key that was generated but not confirmed yet. */
  @Column({ type: 'text', nullable: true })
  twoFactorPending: string | null;

  /** Time step of the last accepted code, so that each code works only once. */
  @Column({ type: 'integer', default: 0 })
  twoFactorStep: number;

  /** ID of the user at the code-hosting provider. */
  @Index('users_codehost', { unique: true, where: 'codehost_id IS NOT NULL AND permanent_deletion IS NULL' })
  @Column({ type: 'text', nullable: true })
  codehostId: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSuccessfulLogin: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastFailedLogin: Date | null;

  /** Failures since the last successful sign-in. */
  @Column({ type: 'integer', default: 0 })
  failedLoginCount: number;

  /** Time at which the account was deleted. From then on, it is only found among deleted sandboxes. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  permanentDeletion: Date | null;

  /** Time at which the account's data is removed. Until then, the account can be restored. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dataDeletion: Date | null;
}
