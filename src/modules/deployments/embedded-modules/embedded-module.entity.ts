import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import type { ModuleFacts } from './module-facts.js';

/** `wanted` waits for a compiler or is at one; `failed` does not compile. */
export type ModuleStatus = 'wanted' | 'ready' | 'failed';

/** A module that was compiled for a device, or is to be. Its bytes are a blob, whose key follows from `content`. */
@Entity('embedded_modules')
@Index('embedded_modules_wanted', ['applicationId', 'dueAt'], { where: `status = 'wanted'` })
@Index('embedded_modules_by_making', ['madeAt'])
export class EmbeddedModule {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  @PrimaryColumn({ type: 'text' })
  bundleVersion: string;

  /** The options that it is compiled with, and the compiler: `recipeOf`. */
  @PrimaryColumn({ type: 'text' })
  recipe: string;

  @Column({ type: 'text', default: 'wanted' })
  status: ModuleStatus;

  /** When a worker may take it up. The worker that has it moves this ahead all the while, so it passes if that one dies. */
  @Column({ type: 'timestamptz' })
  dueAt: Date;

  /** How often a worker has taken it up; also fences off a worker that lost it. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** When the device last asked for it; absent where only an export did. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  askedAt: Date | null;

  /** Whether the device wants it compressed. */
  @Column({ type: 'boolean', default: false })
  gzip: boolean;

  /** When it was made, or asked for first. */
  @Column({ type: 'timestamptz', precision: 3 })
  madeAt: Date;

  /** Why it does not compile. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** SHA-256 of all that the compiler was given, in hexadecimal digits. */
  @Column({ type: 'text', nullable: true })
  content: string | null;

  /** How much room its blobs take. */
  @Column({ type: 'integer', default: 0 })
  bytes: number;

  @Column({ type: 'jsonb', nullable: true })
  facts: ModuleFacts | null;
}

export const EMBEDDED_MODULES = holding(EmbeddedModule, { table: 'embedded_modules', title: 'Module' });
