import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds presses of virtual buttons that workflows have scheduled. */
export class ScheduledPresses1795695000001 implements MigrationInterface {
  name = 'ScheduledPresses1795695000001';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE scheduled_presses (
      application_id text NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
      run_id text NOT NULL,
      by_flow_id text NOT NULL,
      flow_id text NOT NULL,
      version text NOT NULL,
      key text NOT NULL,
      payload text NOT NULL,
      due_at timestamptz(3) NOT NULL,
      PRIMARY KEY (application_id, run_id)
    )`);
    await queryRunner.query('CREATE INDEX scheduled_presses_due ON scheduled_presses (due_at)');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE scheduled_presses');
  }
}
