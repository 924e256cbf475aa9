import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';
import { inTransaction, replaceIndex } from '../platform/database/migrate.js';

const LOGGED = 'WHERE application_id IS NOT NULL';
const INDEXES: Readonly<Record<string, string>> = {
  jobs_by_creation: 'creation_date',
  jobs_by_start: 'started_at',
  jobs_by_end: 'completed_at',
  jobs_by_operation: 'operation',
  jobs_by_status: 'status',
  jobs_by_type: 'resource_type',
};
const COUNTED: CountedRows = {
  table: 'jobs',
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'jobLogCount'`, amount: '1' }],
};

/** Assigns jobs to applications for their job logs. Existing jobs have no application. */
export class JobLogs1795595000000 implements MigrationInterface {
  name = 'JobLogs1795595000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    const columns = ['application_id text', 'log_id text', 'operation text', 'resource_type text', 'resource_id text'];
    const added = [...columns, 'input jsonb'].map((column) => `ADD COLUMN IF NOT EXISTS ${column}`);
    await inTransaction(queryRunner, this.name, async () => {
      await queryRunner.query(`ALTER TABLE jobs ${added.join(', ')}`);
      // One application may own most of the rows. With statistics based on that, look-ups of others would scan the whole
      // table.
      await queryRunner.query('ALTER TABLE jobs ALTER COLUMN application_id SET (n_distinct = -0.01)');
      await queryRunner.query(`DROP FUNCTION IF EXISTS ${counterName(COUNTED)} CASCADE`);
      for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
    });
    await replaceIndex(queryRunner, 'jobs_log', 'jobs (log_id)', 'UNIQUE INDEX');
    for (const [name, column] of Object.entries(INDEXES))
      await replaceIndex(queryRunner, name, `jobs (application_id, ${column}, log_id) ${LOGGED}`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    for (const name of ['jobs_log', ...Object.keys(INDEXES)])
      await queryRunner.query(`DROP INDEX ${name}`);
    await queryRunner.query('ALTER TABLE jobs ALTER COLUMN application_id RESET (n_distinct)');
    await queryRunner.query(
      `ALTER TABLE jobs DROP COLUMN application_id, DROP COLUMN log_id, DROP COLUMN operation, DROP COLUMN resource_type,
        DROP COLUMN resource_id, DROP COLUMN input`,
    );
  }
}
