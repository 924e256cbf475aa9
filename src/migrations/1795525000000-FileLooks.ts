import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the time at which an upload is checked next. */
export class FileLooks1795525000000 implements MigrationInterface {
  name = 'FileLooks1795525000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "file_uploads" ADD "look_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now()',
    );
    await queryRunner.query('ALTER TABLE "file_uploads" ALTER "look_at" DROP DEFAULT');
    await queryRunner.query('CREATE INDEX "file_uploads_by_look" ON "file_uploads" ("look_at")');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "file_uploads" DROP COLUMN "look_at"');
  }
}
