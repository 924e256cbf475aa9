import type { MigrationInterface, QueryRunner } from "typeorm";

export class Foundation1795243305122 implements MigrationInterface {
    name = 'Foundation1795243305122'

    public async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`
            CREATE TABLE "users" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "email" text NOT NULL,
                "email_verified" boolean NOT NULL,
                "first_name" text,
                "last_name" text,
                "company_name" text,
                "title" text,
                "location" text,
                "phone_number" text,
                "url" text,
                "github_name" text,
                "sso_linked" boolean NOT NULL,
                "password_last_updated" TIMESTAMP(3) WITH TIME ZONE,
                "token_cutoff" TIMESTAMP(3) WITH TIME ZONE,
                "limits" jsonb,
                "password_hash" text,
                "two_factor_key" text,
                "two_factor_pending" text,
                "two_factor_step" integer NOT NULL DEFAULT '0',
                "codehost_id" text,
                CONSTRAINT "PK_a3ffb1c0c8416b9fc6f907b7433" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "users_email" ON "users" ("email")
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "users_codehost" ON "users" ("codehost_id")
            WHERE codehost_id IS NOT NULL
        `);
        await queryRunner.query(`
            CREATE TABLE "instances" (
                "id" text NOT NULL,
                "name" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_11862209053330b4765f7f54178" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE TYPE "public"."instance_role" AS ENUM('admin', 'view')
        `);
        await queryRunner.query(`
            CREATE TABLE "instance_members" (
                "instance_id" text NOT NULL,
                "user_id" text NOT NULL,
                "role" "public"."instance_role" NOT NULL,
                CONSTRAINT "PK_a4df05b9de2c565c6696e606a4b" PRIMARY KEY ("instance_id", "user_id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "instance_members_by_user" ON "instance_members" ("user_id")
        `);
        await queryRunner.query(`
            CREATE TABLE "orgs" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "instance_id" text NOT NULL,
                "name" text NOT NULL,
                "description" text,
                "icon_color" text,
                "billing_email" text,
                "plan_id" text,
                "mfa_mode" text,
                "limits" jsonb,
                "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "PK_9eed8bfad4c9e0dc8648e090efe" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "orgs_by_instance" ON "orgs" ("instance_id")
        `);
        await queryRunner.query(`
            CREATE INDEX "orgs_deleted" ON "orgs" ("deleted_at")
            WHERE deleted_at IS NOT NULL
        `);
        await queryRunner.query(`
            CREATE INDEX "orgs_by_name" ON "orgs" ("name", "id")
        `);
        await queryRunner.query(`
            CREATE TYPE "public"."role" AS ENUM('none', 'view', 'collaborate', 'edit', 'admin')
        `);
        await queryRunner.query(`
            CREATE TABLE "org_members" (
                "org_id" text NOT NULL,
                "user_id" text NOT NULL,
                "role" "public"."role" NOT NULL,
                "application_roles" jsonb NOT NULL DEFAULT '[]',
                "dashboard_roles" jsonb NOT NULL DEFAULT '[]',
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_986db88b0e82a9189921841199b" PRIMARY KEY ("org_id", "user_id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "org_members_by_user" ON "org_members" ("user_id")
        `);
        await queryRunner.query(`
            CREATE TABLE "api_tokens" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "owner_id" text NOT NULL,
                "owner_type" text NOT NULL,
                "creator_id" text NOT NULL,
                "creator_type" text NOT NULL,
                "creator_name" text,
                "name" text NOT NULL,
                "description" text,
                "expiration_date" TIMESTAMP(3) WITH TIME ZONE,
                "scope" jsonb NOT NULL,
                "status" text NOT NULL,
                "default_role" text,
                "org_roles" jsonb,
                "token_hash" text NOT NULL,
                CONSTRAINT "PK_c587455266b5fa8dace7194caac" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "api_tokens_by_owner_creation" ON "api_tokens" ("owner_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "api_tokens_by_owner_name" ON "api_tokens" ("owner_id", "name", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "applications" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "owner_id" text NOT NULL,
                "owner_type" text NOT NULL,
                "name" text NOT NULL,
                "description" text,
                "globals" jsonb,
                "endpoint_default_cors" boolean,
                "endpoint_slug" text,
                "exp_user_token_cutoff" TIMESTAMP(3) WITH TIME ZONE,
                "blob_url_ttl" integer,
                "applied_template_ids" jsonb,
                "archive_config" jsonb,
                "ftue_tracking" jsonb,
                "archive_secrets" text,
                "readme" text NOT NULL DEFAULT '',
                "readme_updated" TIMESTAMP(3) WITH TIME ZONE,
                "readme_updated_by_id" text,
                "readme_updated_by_type" text,
                "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "PK_938c0a27255637bde919591888f" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "applications_deleted" ON "applications" ("deleted_at")
            WHERE deleted_at IS NOT NULL
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "applications_slug" ON "applications" ("endpoint_slug")
            WHERE endpoint_slug IS NOT NULL
        `);
        await queryRunner.query(`
            CREATE INDEX "applications_by_owner_change" ON "applications" ("owner_id", "last_updated", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "applications_by_owner_creation" ON "applications" ("owner_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "applications_by_owner_name" ON "applications" ("owner_id", "name", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "sso_domains" (
                "domain" text NOT NULL,
                "entry_point" text NOT NULL,
                "issuer" text NOT NULL,
                "acs_url" text,
                "certificates" jsonb NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_586adb1f29cd99ed778c30fb1fd" PRIMARY KEY ("domain")
            )
        `);
        await queryRunner.query(`
            CREATE TABLE "saml_ids" (
                "kind" text NOT NULL,
                "id" text NOT NULL,
                "domain" text NOT NULL,
                "expires" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_2ca962b802822b96ef9ecf57f97" PRIMARY KEY ("kind", "id", "domain")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "saml_ids_by_expiry" ON "saml_ids" ("expires")
        `);
        await queryRunner.query(`
            CREATE TABLE "jobs" (
                "id" text NOT NULL,
                "name" text NOT NULL,
                "payload" jsonb NOT NULL,
                "status" text NOT NULL DEFAULT 'queued',
                "progress" jsonb,
                "result" jsonb,
                "error" jsonb,
                "attempts" integer NOT NULL DEFAULT '0',
                "due_at" TIMESTAMP WITH TIME ZONE NOT NULL,
                "requested_by_id" text,
                "requested_by_type" text,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "started_at" TIMESTAMP(3) WITH TIME ZONE,
                "completed_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "PK_cf0a6c42b72fcc7f7c237def345" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "jobs_completed" ON "jobs" ("completed_at")
            WHERE completed_at IS NOT NULL
        `);
        await queryRunner.query(`
            CREATE INDEX "jobs_due" ON "jobs" ("due_at")
            WHERE status IN ('queued', 'inProgress')
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_members"
            ADD CONSTRAINT "FK_f1c4059d38d721700e46a3d55b7" FOREIGN KEY ("instance_id") REFERENCES "instances"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_members"
            ADD CONSTRAINT "FK_764036de885acc672fc618e8116" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD CONSTRAINT "FK_d5a3c4ad460eb947a5a08144c8f" FOREIGN KEY ("instance_id") REFERENCES "instances"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "org_members"
            ADD CONSTRAINT "FK_a35e7519ef33c0dd4d24bb15056" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "org_members"
            ADD CONSTRAINT "FK_220d854a7932f6aac9ed84f71c9" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    }

    public async down(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`
            ALTER TABLE "org_members" DROP CONSTRAINT "FK_220d854a7932f6aac9ed84f71c9"
        `);
        await queryRunner.query(`
            ALTER TABLE "org_members" DROP CONSTRAINT "FK_a35e7519ef33c0dd4d24bb15056"
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP CONSTRAINT "FK_d5a3c4ad460eb947a5a08144c8f"
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_members" DROP CONSTRAINT "FK_764036de885acc672fc618e8116"
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_members" DROP CONSTRAINT "FK_f1c4059d38d721700e46a3d55b7"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."jobs_due"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."jobs_completed"
        `);
        await queryRunner.query(`
            DROP TABLE "jobs"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."saml_ids_by_expiry"
        `);
        await queryRunner.query(`
            DROP TABLE "saml_ids"
        `);
        await queryRunner.query(`
            DROP TABLE "sso_domains"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."applications_by_owner_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."applications_by_owner_creation"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."applications_by_owner_change"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."applications_slug"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."applications_deleted"
        `);
        await queryRunner.query(`
            DROP TABLE "applications"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."api_tokens_by_owner_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."api_tokens_by_owner_creation"
        `);
        await queryRunner.query(`
            DROP TABLE "api_tokens"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."org_members_by_user"
        `);
        await queryRunner.query(`
            DROP TABLE "org_members"
        `);
        await queryRunner.query(`
            DROP TYPE "public"."role"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."orgs_by_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."orgs_deleted"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."orgs_by_instance"
        `);
        await queryRunner.query(`
            DROP TABLE "orgs"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."instance_members_by_user"
        `);
        await queryRunner.query(`
            DROP TABLE "instance_members"
        `);
        await queryRunner.query(`
            DROP TYPE "public"."instance_role"
        `);
        await queryRunner.query(`
            DROP TABLE "instances"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."users_codehost"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."users_email"
        `);
        await queryRunner.query(`
            DROP TABLE "users"
        `);
    }

}
