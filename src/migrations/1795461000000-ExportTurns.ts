import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records when each device or application was last exported. */
export class ExportTurns1795461000000 implements MigrationInterface {
  name = 'ExportTurns1795461000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE TABLE "export_turns" ("application_id" text NOT NULL, "subject_id" text NOT NULL, "taken_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, CONSTRAINT "PK_f0555de98661dde17b58ffa91aa" PRIMARY KEY ("application_id", "subject_id"))',
    );
    await queryRunner.query(`
      ALTER TABLE "export_turns"
      ADD CONSTRAINT "FK_49c953b0b17f99824d80ec898d8" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "export_turns"');
  }
}
