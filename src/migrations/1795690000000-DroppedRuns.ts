import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the number of dropped runs to the sums of runs. */
export class DroppedRuns1795690000000 implements MigrationInterface {
  name = 'DroppedRuns1795690000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['flow_run_sums', 'flow_run_deltas'])
      await queryRunner.query(`ALTER TABLE "${table}" ADD "dropped_runs" bigint NOT NULL DEFAULT 0`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['flow_run_deltas', 'flow_run_sums'])
      await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "dropped_runs"`);
  }
}
