import type { MigrationInterface, QueryRunner } from "typeorm";

export class Workflows1795268710078 implements MigrationInterface {
    name = 'Workflows1795268710078'

    public async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`
            CREATE TABLE "application_keys" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "created_by_id" text,
                "created_by_type" text,
                "last_updated_by_id" text,
                "last_updated_by_type" text,
                "application_id" text NOT NULL,
                "key" text NOT NULL,
                "name" text,
                "description" text,
                "status" text NOT NULL,
                "device_ids" jsonb NOT NULL,
                "device_tags" jsonb NOT NULL,
                "address_filter_type" text NOT NULL,
                "addresses" jsonb NOT NULL,
                "filter_type" text NOT NULL,
                "pub_topics" jsonb NOT NULL,
                "sub_topics" jsonb NOT NULL,
                "secret_hash" text NOT NULL,
                CONSTRAINT "PK_3a2ca308a2a5c5bc42ff6d2b608" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "application_keys_key" ON "application_keys" ("key")
        `);
        await queryRunner.query(`
            CREATE INDEX "application_keys_by_key" ON "application_keys" ("application_id", "key", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "application_keys_by_status" ON "application_keys" ("application_id", "status", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "application_keys_by_name" ON "application_keys" ("application_id", "name", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "application_keys_by_change" ON "application_keys" ("application_id", "last_updated", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "application_keys_by_id" ON "application_keys" ("application_id", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "application_keys_by_creation" ON "application_keys" ("application_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "instance_custom_nodes" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "created_by_id" text,
                "created_by_type" text,
                "last_updated_by_id" text,
                "last_updated_by_type" text,
                "instance_id" text NOT NULL,
                "name" text NOT NULL,
                "description" text,
                "short_description" text,
                "triggers" jsonb NOT NULL,
                "nodes" jsonb NOT NULL,
                "custom_node_config" jsonb,
                "custom_node_supports" jsonb,
                "minimum_agent_version" text,
                "category" text,
                "icon_data" text,
                "docs_url" text,
                CONSTRAINT "PK_95c2f6cd7461df41ee8034eaa9f" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "instance_custom_nodes_by_change" ON "instance_custom_nodes" ("instance_id", "last_updated", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "instance_custom_nodes_by_creation" ON "instance_custom_nodes" ("instance_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "instance_custom_nodes_by_name" ON "instance_custom_nodes" ("instance_id", "name", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "flows" (
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
                "flow_class" text NOT NULL,
                "enabled" boolean NOT NULL,
                "default_version_id" text,
                "triggers" jsonb NOT NULL,
                "nodes" jsonb NOT NULL,
                "globals" jsonb NOT NULL,
                "minimum_agent_version" text,
                "category" text,
                "icon_data" text,
                "docs_url" text,
                "short_description" text,
                "custom_node_config" jsonb,
                "custom_node_supports" jsonb,
                "live_triggers" jsonb NOT NULL DEFAULT '[]',
                "named_ids" text array NOT NULL DEFAULT '{}',
                "in_develop" boolean NOT NULL DEFAULT true,
                CONSTRAINT "PK_c346955f4318ef565e6928462fe" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "flows_by_id" ON "flows" ("application_id", "flow_class", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "flows_by_change" ON "flows" (
                "application_id",
                "flow_class",
                "last_updated",
                "id"
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "flows_by_creation" ON "flows" (
                "application_id",
                "flow_class",
                "creation_date",
                "id"
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "flows_by_name" ON "flows" ("application_id", "flow_class", "name", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "flows_by_application" ON "flows" ("application_id", "name", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "flow_runs" (
                "id" text NOT NULL,
                "application_id" text NOT NULL,
                "flow_id" text NOT NULL,
                "flow_version_id" text,
                "device_id" text,
                "requested_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "status" text NOT NULL DEFAULT 'pending',
                "trigger" json NOT NULL,
                "finished_at" TIMESTAMP(3) WITH TIME ZONE,
                "paths_completed" integer NOT NULL DEFAULT '0',
                "paths_failed" integer NOT NULL DEFAULT '0',
                "wall_time" integer NOT NULL DEFAULT '0',
                "errors" jsonb NOT NULL DEFAULT '[]',
                "reply" jsonb,
                CONSTRAINT "PK_0bd284c70fbfb05e1a85455ceb5" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "flow_runs_by_application" ON "flow_runs" ("application_id")
        `);
        await queryRunner.query(`
            CREATE INDEX "flow_runs_pending" ON "flow_runs" ("requested_at")
            WHERE status = 'pending'
        `);
        await queryRunner.query(`
            CREATE INDEX "flow_runs_by_flow" ON "flow_runs" ("flow_id", "requested_at", "id")
        `);
        await queryRunner.query(`
            CREATE TABLE "flow_storage" (
                "flow_id" text NOT NULL,
                "key" text NOT NULL,
                "value" jsonb NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "PK_04d7f5c92269b22100ab1e326be" PRIMARY KEY ("flow_id", "key")
            )
        `);
        await queryRunner.query(`
            CREATE TABLE "flow_versions" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "created_by_id" text,
                "created_by_type" text,
                "last_updated_by_id" text,
                "last_updated_by_type" text,
                "application_id" text NOT NULL,
                "flow_id" text NOT NULL,
                "flow_class" text NOT NULL,
                "version" text NOT NULL,
                "notes" text,
                "enabled" boolean NOT NULL,
                "triggers" jsonb NOT NULL,
                "nodes" jsonb NOT NULL,
                "globals" jsonb NOT NULL,
                "minimum_agent_version" text,
                "custom_node_config" jsonb,
                "named_ids" text array NOT NULL DEFAULT '{}',
                CONSTRAINT "PK_23e42c82059ea31a5ae93fefe36" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE INDEX "flow_versions_by_change" ON "flow_versions" ("flow_id", "last_updated", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "flow_versions_by_creation" ON "flow_versions" ("flow_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "flow_versions_by_application" ON "flow_versions" ("application_id", "version")
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "flow_versions_name" ON "flow_versions" ("flow_id", "version")
        `);
        await queryRunner.query(`
            CREATE TABLE "webhooks" (
                "id" text NOT NULL,
                "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "application_id" text NOT NULL,
                "name" text NOT NULL,
                "description" text,
                "token" text NOT NULL,
                "enabled" boolean NOT NULL,
                "is_websocket" boolean NOT NULL,
                "wait_for_reply" boolean NOT NULL,
                "response_code" integer NOT NULL,
                "verification_type" text NOT NULL,
                "verification_code" text,
                "basic_auth_username" text,
                "cast_buffers_as" text,
                "annotate_multipart" boolean NOT NULL,
                "basic_auth_sealed" text,
                CONSTRAINT "PK_9e8795cfc899ab7bdaa831e8527" PRIMARY KEY ("id")
            )
        `);
        await queryRunner.query(`
            CREATE UNIQUE INDEX "webhooks_token" ON "webhooks" ("token")
        `);
        await queryRunner.query(`
            CREATE INDEX "webhooks_by_change" ON "webhooks" ("application_id", "last_updated", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "webhooks_by_creation" ON "webhooks" ("application_id", "creation_date", "id")
        `);
        await queryRunner.query(`
            CREATE INDEX "webhooks_by_name" ON "webhooks" ("application_id", "name", "id")
        `);
        await queryRunner.query(`
            ALTER TABLE "application_keys"
            ADD CONSTRAINT "FK_1c3c81b03f688be5066c66b2920" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_custom_nodes"
            ADD CONSTRAINT "FK_1fc9662c2020c2ca792a14e5500" FOREIGN KEY ("instance_id") REFERENCES "instances"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "flows"
            ADD CONSTRAINT "FK_4243f91adcdf292e05ffba32bde" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_runs"
            ADD CONSTRAINT "FK_00124fdce93870cc8d82033a095" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_runs"
            ADD CONSTRAINT "FK_843b75f7ea7ecfac5328976968f" FOREIGN KEY ("flow_id") REFERENCES "flows"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_storage"
            ADD CONSTRAINT "FK_352c0b03a58346db06e711ad6f3" FOREIGN KEY ("flow_id") REFERENCES "flows"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_versions"
            ADD CONSTRAINT "FK_4818384a5fd64b87d8cbe845da4" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_versions"
            ADD CONSTRAINT "FK_fe99aaf35d2a0808554d5014d67" FOREIGN KEY ("flow_id") REFERENCES "flows"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        await queryRunner.query(`
            ALTER TABLE "webhooks"
            ADD CONSTRAINT "FK_c3e5305461931763b56aa905f1c" FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
        // TypeORM does not support GIN indexes.
        await queryRunner.query(`
            CREATE INDEX "flows_live_triggers" ON "flows" USING gin ("live_triggers" jsonb_path_ops)
        `);
        await queryRunner.query(`
            CREATE INDEX "flows_named_ids" ON "flows" USING gin ("named_ids")
        `);
        await queryRunner.query(`
            CREATE INDEX "flow_versions_named_ids" ON "flow_versions" USING gin ("named_ids")
        `);
    }

    public async down(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query(`
            ALTER TABLE "webhooks" DROP CONSTRAINT "FK_c3e5305461931763b56aa905f1c"
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_versions" DROP CONSTRAINT "FK_fe99aaf35d2a0808554d5014d67"
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_versions" DROP CONSTRAINT "FK_4818384a5fd64b87d8cbe845da4"
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_storage" DROP CONSTRAINT "FK_352c0b03a58346db06e711ad6f3"
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_runs" DROP CONSTRAINT "FK_843b75f7ea7ecfac5328976968f"
        `);
        await queryRunner.query(`
            ALTER TABLE "flow_runs" DROP CONSTRAINT "FK_00124fdce93870cc8d82033a095"
        `);
        await queryRunner.query(`
            ALTER TABLE "flows" DROP CONSTRAINT "FK_4243f91adcdf292e05ffba32bde"
        `);
        await queryRunner.query(`
            ALTER TABLE "instance_custom_nodes" DROP CONSTRAINT "FK_1fc9662c2020c2ca792a14e5500"
        `);
        await queryRunner.query(`
            ALTER TABLE "application_keys" DROP CONSTRAINT "FK_1c3c81b03f688be5066c66b2920"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."webhooks_by_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."webhooks_by_creation"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."webhooks_by_change"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."webhooks_token"
        `);
        await queryRunner.query(`
            DROP TABLE "webhooks"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flow_versions_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flow_versions_by_application"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flow_versions_by_creation"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flow_versions_by_change"
        `);
        await queryRunner.query(`
            DROP TABLE "flow_versions"
        `);
        await queryRunner.query(`
            DROP TABLE "flow_storage"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flow_runs_by_flow"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flow_runs_pending"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flow_runs_by_application"
        `);
        await queryRunner.query(`
            DROP TABLE "flow_runs"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flows_by_application"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flows_by_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flows_by_creation"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flows_by_change"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."flows_by_id"
        `);
        await queryRunner.query(`
            DROP TABLE "flows"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."instance_custom_nodes_by_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."instance_custom_nodes_by_creation"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."instance_custom_nodes_by_change"
        `);
        await queryRunner.query(`
            DROP TABLE "instance_custom_nodes"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."application_keys_by_id"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."application_keys_by_creation"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."application_keys_by_change"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."application_keys_by_name"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."application_keys_by_status"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."application_keys_by_key"
        `);
        await queryRunner.query(`
            DROP INDEX "public"."application_keys_key"
        `);
        await queryRunner.query(`
            DROP TABLE "application_keys"
        `);
    }

}
