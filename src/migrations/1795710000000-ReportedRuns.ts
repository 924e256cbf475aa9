import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds runs that edge devices report. */
export class ReportedRuns1795710000000 implements MigrationInterface {
  name = 'ReportedRuns1795710000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_runs ADD reported_runs integer');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_runs DROP COLUMN reported_runs');
  }
}
