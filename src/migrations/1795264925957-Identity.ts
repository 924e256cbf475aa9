import type { MigrationInterface, QueryRunner } from "typeorm";

export class Identity1795264925957 implements MigrationInterface {
    name = 'Identity1795264925957'

    public async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`
            CREATE TABLE "audit_logs" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "actor_id" text NOT NULL,
                "actor_name" text,
                "request_resource" text NOT NULL,
                "request_action" text NOT NULL,
                "request_body" jsonb,
                "request_query_params" jsonb NOT NULL,
                "request_path_params" jsonb NOT NULL,
                "response_body" jsonb,
                "response_status" integer NOT NULL,
                "primary_target_id" text,
                "primary_target_name" text,
                "secondary_target_id" text,
                "secondary_target_name" text,
                "org_id" text NOT NULL,
                "actor_type" text NOT NULL,
                "primary_target_type" text,
                "secondary_target_type" text,
                CONSTRAINT "PK_1bb179d048bbc581caa3b013439" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "audit_logs_by_age" ON "audit_logs" ("creation_date")
        `);
        await queryRunner.query(`
            CREATE INDEX "audit_logs_by_time" ON "audit_logs" ("org_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "instance_audit_logs" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "actor_id" text NOT NULL,
                "actor_name" text,
                "request_resource" text NOT NULL,
                "request_action" text NOT NULL,
                "request_body" jsonb,
                "request_query_params" jsonb NOT NULL,
                "request_path_params" jsonb NOT NULL,
                "response_body" jsonb,
                "response_status" integer NOT NULL,
                "primary_target_id" text,
                "primary_target_name" text,
                "secondary_target_id" text,
                "secondary_target_name" text,
                "instance_id" text NOT NULL,
                "actor_type" text NOT NULL,
                "primary_target_type" text,
                "secondary_target_type" text,
                CONSTRAINT "PK_3ed6d0d4dc6e5e3dab740bc1e0d" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "instance_audit_logs_by_age" ON "instance_audit_logs" ("creation_date")
        `);
        await queryRunner.query(`
            CREATE INDEX "instance_audit_logs_by_time" ON "instance_audit_logs" ("instance_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "org_invites" (
                "id" text NOT NULL,
                "org_id" text NOT NULL,
                "email" text NOT NULL,
                "role" text NOT NULL,
                "application_roles" jsonb NOT NULL,
                "dashboard_roles" jsonb NOT NULL,
                "disallow_transfer" boolean NOT NULL,
                "invite_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "token_hash" text NOT NULL,
                "invited_by_email" text,
                "invited_by_name" text,
                "dismissed" boolean NOT NULL DEFAULT false,
                CONSTRAINT "PK_016bf1db3f7552a8000f12c552f" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "org_invites_by_email" ON "org_invites" ("email")
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "org_invites_email" ON "org_invites" ("org_id", "email")
        `);
        await queryRunner.query(`
            CREATE TABLE "recent_items" (
                "user_id" text NOT NULL,
                "item_type" text NOT NULL,
                "parent_id" text NOT NULL,
                "item_id" text NOT NULL,
                "viewed_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_72418fd0f68d7c526e7ef52fa4e" PRIMARY KEY ("user_id", "item_type", "parent_id", "item_id")
            )
        `);
        await queryRunner.query(`
            ALTER TABLE "instances"
            ADD "mfa_mode" text
        `);
        await queryRunner.query(`
            ALTER TABLE "instances"
            ADD "allow_audit_logging" boolean NOT NULL DEFAULT true
        `);
        await queryRunner.query(`
            ALTER TABLE "instances" ALTER COLUMN "allow_audit_logging" DROP DEFAULT
        `);
        await queryRunner.query(`
            ALTER TABLE "instances"
            ADD "limits" jsonb
        `);
        await queryRunner.query(`
            ALTER TABLE "instances"
            ADD "org_default_limit_config" jsonb
        `);
        await queryRunner.query(`
            ALTER TABLE "instances"
            ADD "report_configs" jsonb
        `);
        await queryRunner.query(`
            ALTER TABLE "users"
            ADD "instance_id" text
        `);
        // Previously, all users belonged to the single instance that the first start creates.
        await queryRunner.query(`
            UPDATE "users" SET "instance_id" = (SELECT "id" FROM "instances" ORDER BY "id" LIMIT 1)
        `);
        await queryRunner.query(`
            ALTER TABLE "users" ALTER COLUMN "instance_id" SET NOT NULL
        `);
        await queryRunner.query(`
            ALTER TABLE "users"
            ADD "last_successful_login" TIMESTAMP(3) WITH TIME ZONE
        `);
        await queryRunner.query(`
            ALTER TABLE "users"
            ADD "last_failed_login" TIMESTAMP(3) WITH TIME ZONE
        `);
        await queryRunner.query(`
            ALTER TABLE "users"
            ADD "failed_login_count" integer NOT NULL DEFAULT '0'
        `);
        await queryRunner.query(`
            ALTER TABLE "users"
            ADD "permanent_deletion" TIMESTAMP(3) WITH TIME ZONE
        `);
        await queryRunner.query(`
            ALTER TABLE "users"
            ADD "data_deletion" TIMESTAMP(3) WITH TIME ZONE
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD "is_read_only" boolean NOT NULL DEFAULT false
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" ALTER COLUMN "is_read_only" DROP DEFAULT
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD "disabled_at" TIMESTAMP(3) WITH TIME ZONE
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD "banner" jsonb
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD "whitelisted_email_domains" jsonb
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD "tags" jsonb NOT NULL DEFAULT '[]'
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD "referral_id" text
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs"
            ADD "audit_log_enabled" boolean NOT NULL DEFAULT true
        `);
        await queryRunner.query(`
            DROP INDEX "public"."users_email"
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "users_email" ON "users" ("email")
            WHERE permanent_deletion IS NULL
        `);
        await queryRunner.query(`
            DROP INDEX "public"."users_codehost"
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "users_codehost" ON "users" ("codehost_id")
            WHERE codehost_id IS NOT NULL
                AND permanent_deletion IS NULL
        `);
        await queryRunner.query(`
            CREATE INDEX "users_by_instance" ON "users" ("instance_id", "email", "id")
        `);
        await queryRunner.query(`
            ALTER TABLE "users"
            ADD CONSTRAINT "FK_6c5013b12920993a8c6c79b892d" FOREIGN KEY ("instance_id") REFERENCES "instances"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "audit_logs"
            ADD CONSTRAINT "FK_8f3655b4b607ce3e7a3fb906784" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_audit_logs"
            ADD CONSTRAINT "FK_661259f662ad859337e2a4e83f3" FOREIGN KEY ("instance_id") REFERENCES "instances"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "org_invites"
            ADD CONSTRAINT "FK_30b0a1cba1b91cf5b2070884a7e" FOREIGN KEY ("org_id") REFERENCES "orgs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "recent_items"
            ADD CONSTRAINT "FK_ff1da971fb472071ece525db2d1" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    }

    public async down(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`
            ALTER TABLE "recent_items" DROP CONSTRAINT "FK_ff1da971fb472071ece525db2d1"
        `);
        await queryRunner.query(`
            ALTER TABLE "org_invites" DROP CONSTRAINT "FK_30b0a1cba1b91cf5b2070884a7e"
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_audit_logs" DROP CONSTRAINT "FK_661259f662ad859337e2a4e83f3"
        `);
        await queryRunner.query(`
            ALTER TABLE "audit_logs" DROP CONSTRAINT "FK_8f3655b4b607ce3e7a3fb906784"
        `);
        await queryRunner.query(`
            ALTER TABLE "users" DROP CONSTRAINT "FK_6c5013b12920993a8c6c79b892d"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."users_by_instance"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."users_email"
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "users_email" ON "users" ("email")
        `);
        await queryRunner.query(`
            DROP INDEX "public"."users_codehost"
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "users_codehost" ON "users" ("codehost_id")
            WHERE codehost_id IS NOT NULL
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP COLUMN "audit_log_enabled"
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP COLUMN "referral_id"
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP COLUMN "tags"
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP COLUMN "whitelisted_email_domains"
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP COLUMN "banner"
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP COLUMN "disabled_at"
        `);
        await queryRunner.query(`
            ALTER TABLE "orgs" DROP COLUMN "is_read_only"
        `);
        await queryRunner.query(`
            ALTER TABLE "users" DROP COLUMN "data_deletion"
        `);
        await queryRunner.query(`
            ALTER TABLE "users" DROP COLUMN "permanent_deletion"
        `);
        await queryRunner.query(`
            ALTER TABLE "users" DROP COLUMN "failed_login_count"
        `);
        await queryRunner.query(`
            ALTER TABLE "users" DROP COLUMN "last_failed_login"
        `);
        await queryRunner.query(`
            ALTER TABLE "users" DROP COLUMN "last_successful_login"
        `);
        await queryRunner.query(`
            ALTER TABLE "users" DROP COLUMN "instance_id"
        `);
        await queryRunner.query(`
            ALTER TABLE "instances" DROP COLUMN "report_configs"
        `);
        await queryRunner.query(`
            ALTER TABLE "instances" DROP COLUMN "org_default_limit_config"
        `);
        await queryRunner.query(`
            ALTER TABLE "instances" DROP COLUMN "limits"
        `);
        await queryRunner.query(`
            ALTER TABLE "instances" DROP COLUMN "allow_audit_logging"
        `);
        await queryRunner.query(`
            ALTER TABLE "instances" DROP COLUMN "mfa_mode"
        `);
        await queryRunner.query(`
            DROP TABLE "recent_items"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."org_invites_email"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."org_invites_by_email"
        `);
        await queryRunner.query(`
            DROP TABLE "org_invites"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."instance_audit_logs_by_time"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."instance_audit_logs_by_age"
        `);
        await queryRunner.query(`
            DROP TABLE "instance_audit_logs"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."audit_logs_by_time"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."audit_logs_by_age"
        `);
        await queryRunner.query(`
            DROP TABLE "audit_logs"
        `);
    }

}
