import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ResourceProblem } from '../../../lib/errors/errors.js';
import { holding } from '../../../platform/holdings/holding.js';
import type { JobStatus } from '../../../platform/jobs/job.entity.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Options of an import, as returned by the import log. */
export interface ImportOptionsLog {
  importSourceType: 'importBundle' | 'importUrl' | 'fromApplication' | 'repository';
  importUrl?: string;
  fromApplicationId?: string;
  credentialName?: string;
  repo?: { branch?: string; directory?: string };
  include?: readonly string[];
  conflictBehavior?: string;
  dryRun?: boolean;
  email?: string;
}

/** Result of an import, as returned by the import log. */
export interface ImportResult {
  validationErrors?: readonly ResourceProblem[];
  dryRunResults?: { limitErrors: readonly string[] };
  error?: { name: string; message: string };
}

/** Import into an application. The status `completed` is written in the same transaction as the imported data. */
@Entity('application_imports')
@Index('application_imports_by_time', ['applicationId', 'runQueuedAt', 'id'])
export class ApplicationImport {
  @PrimaryColumn({ type: 'text' })
  id: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** `null` if the request ran the import itself. */
  @Column({ type: 'text', nullable: true })
  jobId: string | null;

  @Column({ type: 'text' })
  status: JobStatus;

  @Column({ type: 'jsonb' })
  asked: ImportOptionsLog;

  @Column({ type: 'jsonb', nullable: true })
  result: ImportResult | null;

  @Column({ type: 'text' })
  sourceId: string;

  @Column({ type: 'text' })
  sourceType: string;

  @Column({ type: 'timestamptz', precision: 3 })
  runQueuedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  runStartedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  runCompletedAt: Date | null;
}

export const APPLICATION_IMPORTS = holding(ApplicationImport, {
  table: 'application_imports',
  title: 'Import',
});
