import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: CountedRows = {
  table: 'credentials',
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'credentialCount'`, amount: '1' }],
};

const INDEXES: Readonly<Record<string, string>> = {
  credentials_by_name: 'name, id',
  credentials_by_type: 'type, id',
  credentials_by_creation: 'creation_date, id',
  credentials_by_change: 'last_updated, id',
};

/** Adds credentials, with which applications sign in to other services. */
export class Credentials1795320000000 implements MigrationInterface {
  name = 'Credentials1795320000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "credentials" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_by_id" text,
      "created_by_type" text,
      "last_updated_by_id" text,
      "last_updated_by_type" text,
      "application_id" text NOT NULL,
      "name" text NOT NULL,
      "description" text,
      "enabled" boolean NOT NULL,
      "type" text NOT NULL,
      "aws_config" jsonb,
      "azure_config" jsonb,
      "gcp_config" jsonb,
      "http_config" jsonb,
      "sendgrid_config" jsonb,
      "twilio_config" jsonb,
      "loggly_config" jsonb,
      "jwt_config" jsonb,
      "whatsapp_config" jsonb,
      "sql_config" jsonb,
      "mongodb_config" jsonb,
      "mailgun_config" jsonb,
      "snowflake_config" jsonb,
      "git_config" jsonb,
      "datadog_config" jsonb,
      "certificate_key_pair_config" jsonb,
      "secrets_sealed" text NOT NULL,
      CONSTRAINT "PK_1e38bc43be6697cdda548ad27a6" PRIMARY KEY ("id")
    )`);
    await queryRunner.query('CREATE UNIQUE INDEX credentials_name ON credentials (application_id, name)');
    for (const [name, columns] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX ${name} ON credentials (application_id, ${columns})`);
    await queryRunner.query(`
      ALTER TABLE "credentials"
      ADD CONSTRAINT "FK_89278c6c67e1b1a896381c15581" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    for (const statement of countTriggers(COUNTED)) await queryRunner.query(statement);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION ${counterName(COUNTED)} CASCADE`);
    await queryRunner.query('DROP TABLE "credentials"');
  }
}
