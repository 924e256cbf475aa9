import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import type { ModuleMetadata } from './module-metadata.js';

/** `wanted` is queued or being compiled; `failed` cannot be compiled. */
export type ModuleStatus = 'wanted' | 'ready' | 'failed';

/**
 * Compiled or requested module of a device. Its bytes are in a blob whose key is derived from `content`. Modules of the
 * same workflows share the blob, which has no facts of devices.
 */
@Entity('embedded_modules')
@Index('embedded_modules_wanted', ['ownerId', 'dueAt'], { where: `status = 'wanted'` })
@Index('embedded_modules_compiling', ['applicationId', 'workflows', 'recipe'], {
  where: `status = 'wanted' AND attempts > 0`,
})
@Index('embedded_modules_by_making', ['madeAt'])
@Index('embedded_modules_by_content', ['content'])
export class EmbeddedModule {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  @PrimaryColumn({ type: 'text' })
  bundleVersion: string;

  /** Compiler options and compiler version, from `recipeOf`. */
  @PrimaryColumn({ type: 'text' })
  recipe: string;

  /** Owner of the application at the last request; owners take turns. */
  @Column({ type: 'text' })
  ownerId: string;

  @Column({ type: 'text', default: 'wanted' })
  status: ModuleStatus;

  /**
   * Time from which a worker may claim the module. A worker that compiles it extends this lease until it dies or
   * finishes.
   */
  @Column({ type: 'timestamptz' })
  dueAt: Date;

  /** Number of claims; also a fencing token against workers that have lost the lease. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Time of the device's last request; `null` if only exports requested the module. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  askedAt: Date | null;

  /** Whether the device requests compression. */
  @Column({ type: 'boolean', default: false })
  gzip: boolean;

  /** Time the module was compiled, or first requested. */
  @Column({ type: 'timestamptz', precision: 3 })
  madeAt: Date;

  /** Reason why the bundle cannot be compiled. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** Digest of the versions of all workflows, so that only one worker compiles them; `null` if unknown. */
  @Column({ type: 'text', nullable: true })
  workflows: string | null;

  /** SHA-256 of the complete compiler input, in hexadecimal. */
  @Column({ type: 'text', nullable: true })
  content: string | null;

  /** Total size of its blobs, which other modules may share. */
  @Column({ type: 'integer', default: 0 })
  bytes: number;

  @Column({ type: 'jsonb', nullable: true })
  facts: ModuleMetadata | null;
}

export const EMBEDDED_MODULES = holding(EmbeddedModule, {
  table: 'embedded_modules',
  title: 'Module',
  after: ['devices'],
});
