import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the progress of a job with the work itself. */
export class KeptWork1795625000000 implements MigrationInterface {
  name = 'KeptWork1795625000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs ADD kept jsonb');
    await queryRunner.query(`CREATE TABLE device_bulk_faults (
      job_id text NOT NULL, device_id text NOT NULL, message text NOT NULL,
      CONSTRAINT "PK_device_bulk_faults" PRIMARY KEY (job_id, device_id),
      CONSTRAINT "FK_7924a17e33f9ebb8bb979415244" FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE CASCADE)`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE device_bulk_faults');
    await queryRunner.query('ALTER TABLE jobs DROP kept');
  }
}
