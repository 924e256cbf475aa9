import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records certificates that were registered and then removed, so that devices cannot sign in with them. */
export class WithdrawnCertificates1795566000000 implements MigrationInterface {
  name = 'WithdrawnCertificates1795566000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "withdrawn_certificates" (
      "application_id" text NOT NULL,
      "digest" text NOT NULL,
      CONSTRAINT "PK_ae3c93c57741aa4d9f3def0f884" PRIMARY KEY ("application_id", "digest")
    )`);
    await queryRunner.query(`ALTER TABLE "withdrawn_certificates" ADD CONSTRAINT "FK_9583ed1aac14abe27a60e00fdac"
      FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "withdrawn_certificates"');
  }
}
