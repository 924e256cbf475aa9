import type { MigrationInterface, QueryRunner } from 'typeorm';
import { counterName, countTriggers, type CountedRows } from '../platform/counts/count-triggers.js';

const COUNTED: readonly CountedRows[] = (['embedded', 'edge'] as const).map((kind) => ({
  table: `${kind}_deployments`,
  holder: 'application_id',
  ofApplications: true,
  amounts: [{ kind: `'${kind}DeploymentCount'`, amount: '1' }],
  where: 'r.deleted_at IS NULL',
  updated: true,
}));

const LIVE = 'WHERE deleted_at IS NULL';
const INDEXES: Readonly<Record<string, string>> = {
  deployment_tasks_by_application: 'deployment_tasks (kind, application_id, id)',
  deployment_tasks_of_application: 'deployment_tasks (application_id)',
  embedded_deployments_by_device: 'embedded_deployments (application_id, device_id)',
  embedded_deployments_by_id: `embedded_deployments (application_id, id) ${LIVE}`,
  embedded_deployments_by_creation: `embedded_deployments (application_id, creation_date, id) ${LIVE}`,
  embedded_deployments_by_change: `embedded_deployments (application_id, last_updated, id) ${LIVE}`,
  embedded_deployment_flows_by_device: 'embedded_deployment_flows (application_id, device_id, flow_id)',
  embedded_deployment_flows_by_flow: 'embedded_deployment_flows (application_id, flow_id, device_id)',
  embedded_deployment_flows_desired:
    'embedded_deployment_flows (application_id, desired_version, flow_id, device_id)',
  embedded_deployment_flows_current:
    'embedded_deployment_flows (application_id, current_version, flow_id, device_id)',
  edge_deployments_of_device: 'edge_deployments (application_id, device_id, flow_id)',
  edge_deployments_of_flow: 'edge_deployments (application_id, flow_id, device_id)',
  edge_deployments_desired: 'edge_deployments (application_id, desired_version, flow_id, device_id)',
  edge_deployments_current: 'edge_deployments (application_id, current_version, flow_id, device_id)',
  edge_deployments_by_id: `edge_deployments (application_id, id) ${LIVE}`,
  edge_deployments_by_device: `edge_deployments (application_id, device_id, id) ${LIVE}`,
  edge_deployments_by_flow: `edge_deployments (application_id, flow_id, id) ${LIVE}`,
  edge_deployments_by_desired: `edge_deployments (application_id, desired_version, id) ${LIVE}`,
  edge_deployments_by_current: `edge_deployments (application_id, current_version, id) ${LIVE}`,
  edge_deployments_by_creation: `edge_deployments (application_id, creation_date, id) ${LIVE}`,
  edge_deployments_by_change: `edge_deployments (application_id, last_updated, id) ${LIVE}`,
};

/** Foreign key of each table to its application. */
const KEYS: Readonly<Record<string, string>> = {
  deployment_tasks: 'FK_f388932607ddbe04917cbc4c8aa',
  embedded_deployments: 'FK_5b993a83996adac26d824c2280b',
  embedded_deployment_flows: 'FK_b6de6f78f6ade6257b7e3e3fb75',
  edge_deployments: 'FK_572d53fcb6c8b6dc97973639bc4',
};

/** Tables with the desired state of devices. */
const KINDS = [
  { kind: 'embedded', table: 'embedded_deployment_flows' },
  { kind: 'edge', table: 'edge_deployments' },
] as const;

const fn = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;
/** Queues a change for each kind of deployment that it concerns, or may concern once earlier changes are applied. */
const leave = (application: string, change: string, condition: string, devices = 'NULL') =>
  KINDS.map(
    ({ kind, table }) => `INSERT INTO deployment_tasks (application_id, kind, change, device_ids)
      SELECT ${application}, '${kind}', ${change}, ${devices}
      WHERE EXISTS (SELECT FROM ${table} p WHERE p.application_id = ${application} AND ${condition})
        OR EXISTS (SELECT FROM deployment_tasks w WHERE w.kind = '${kind}' AND w.application_id = ${application});`,
  ).join('\n');
const FLOW_CLASSES = `('embedded', 'edge', 'customNode')`;
const graphOf = (row: string) =>
  `(${['triggers', 'nodes', 'globals', 'custom_node_config', 'enabled'].map((column) => `${row}.${column}`).join(', ')})`;

/** Database triggers on changes of the desired state or its contents: name, event, condition and queued change. */
const FOLLOWED = [
  {
    name: 'follow_flow_changes',
    on: 'AFTER UPDATE ON flows',
    when: `NEW.flow_class IN ${FLOW_CLASSES} AND (${graphOf('NEW')} IS DISTINCT FROM ${graphOf('OLD')} OR NEW.name <> OLD.name)`,
    // Changes of the name and of `enabled` apply to all versions of the workflow; all other changes apply to one
    // version.
    body: `IF NEW.name <> OLD.name OR NEW.enabled <> OLD.enabled THEN ${leave(
      'NEW.application_id',
      `jsonb_build_object('type', 'content', 'flowId', NEW.id, 'version', NULL)`,
      'p.flow_id = NEW.id AND p.desired_version IS NOT NULL',
    )} ELSE ${leave(
      'NEW.application_id',
      `jsonb_build_object('type', 'content', 'flowId', NEW.id, 'version', 'develop')`,
      `p.flow_id = NEW.id AND p.desired_version = 'develop'`,
    )} END IF;`,
  },
  {
    name: 'follow_flow_removals',
    on: 'AFTER DELETE ON flows',
    when: `OLD.flow_class IN ${FLOW_CLASSES}`,
    body: leave(
      'OLD.application_id',
      `jsonb_build_object('type', 'remove', 'flowId', OLD.id)`,
      'p.flow_id = OLD.id',
    ),
  },
  {
    name: 'follow_version_changes',
    on: 'AFTER UPDATE ON flow_versions',
    when: `NEW.flow_class IN ${FLOW_CLASSES} AND ${graphOf('NEW')} IS DISTINCT FROM ${graphOf('OLD')}`,
    body: leave(
      'NEW.application_id',
      `jsonb_build_object('type', 'content', 'flowId', NEW.flow_id, 'version', NEW.version)`,
      'p.flow_id = NEW.flow_id AND p.desired_version = NEW.version',
    ),
  },
  {
    name: 'follow_version_removals',
    on: 'AFTER DELETE ON flow_versions',
    when: `OLD.flow_class IN ${FLOW_CLASSES}`,
    body: leave(
      'OLD.application_id',
      `jsonb_build_object('type', 'replace', 'flowId', OLD.flow_id, 'oldVersion', OLD.version, 'version', NULL)`,
      'p.flow_id = OLD.flow_id AND p.desired_version = OLD.version',
    ),
  },
  {
    name: 'follow_globals',
    on: 'AFTER UPDATE OF globals ON applications',
    when: 'NEW.globals IS DISTINCT FROM OLD.globals',
    body: leave('NEW.id', `'{"type":"globals"}'::jsonb`, 'p.desired_version IS NOT NULL'),
  },
  {
    name: 'follow_device_classes',
    on: 'AFTER UPDATE OF device_class ON devices',
    when: `NEW.device_class <> OLD.device_class AND OLD.device_class IN ('embedded', 'edgeCompute')`,
    body: leave(
      'NEW.application_id',
      `'{"type":"device"}'::jsonb`,
      'p.device_id = NEW.id AND p.desired_version IS NOT NULL',
      'ARRAY[NEW.id]',
    ),
  },
  {
    name: 'hide_deployments',
    on: 'AFTER UPDATE OF deleted_at ON devices',
    when: '(NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)',
    body: ['embedded_deployments', 'edge_deployments']
      .map(
        (table) => `UPDATE ${table} t SET deleted_at = NEW.deleted_at
          WHERE t.application_id = NEW.application_id AND t.device_id = NEW.id;`,
      )
      .join('\n'),
  },
] as const;

/** Adds the current and desired state of edge and embedded deployments, and the queue of their changes. */
export class Deployments1795600000000 implements MigrationInterface {
  name = 'Deployments1795600000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "deployment_tasks" (
      "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
      "application_id" text NOT NULL,
      "kind" text NOT NULL,
      "change" jsonb NOT NULL,
      "source" jsonb,
      "device_ids" text array,
      "windows" jsonb,
      "after" text NOT NULL DEFAULT '',
      CONSTRAINT "PK_deployment_tasks" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(`CREATE TABLE "embedded_deployments" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,
      "device_id" text NOT NULL,
      "current_bundle_version" text NOT NULL,
      "desired_bundle_version" text NOT NULL,
      "unknown_bundle" boolean NOT NULL,
      "logs" jsonb NOT NULL,
      "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
      "last_bundle" bigint NOT NULL DEFAULT '0',
      "bundles" jsonb NOT NULL DEFAULT '[]',
      "compiler_options" jsonb,
      CONSTRAINT "PK_embedded_deployments" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX "embedded_deployments_of_device" ON "embedded_deployments" ("device_id")',
    );
    await queryRunner.query(`CREATE TABLE "embedded_deployment_flows" (
      "device_id" text NOT NULL,
      "flow_id" text NOT NULL,
      "application_id" text NOT NULL,
      "current_version" text,
      "desired_version" text,
      CONSTRAINT "PK_embedded_deployment_flows" PRIMARY KEY ("device_id", "flow_id")
    )`);
    await queryRunner.query(`CREATE TABLE "edge_deployments" (
      "id" text NOT NULL,
      "creation_date" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "last_updated" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "application_id" text NOT NULL,
      "device_id" text NOT NULL,
      "flow_id" text NOT NULL,
      "flow_class" text NOT NULL,
      "current_version" text,
      "desired_version" text,
      "current_etag" text,
      "desired_etag" text,
      "logs" jsonb NOT NULL,
      "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_edge_deployments" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX "edge_deployments_key" ON "edge_deployments" ("device_id", "flow_id")',
    );
    for (const [name, columns] of Object.entries(INDEXES))
      await queryRunner.query(`CREATE INDEX ${name} ON ${columns}`);
    for (const [table, key] of Object.entries(KEYS))
      await queryRunner.query(`ALTER TABLE "${table}" ADD CONSTRAINT "${key}"
        FOREIGN KEY ("application_id") REFERENCES "applications"("id") ON DELETE CASCADE ON UPDATE NO ACTION`);
    for (const counted of COUNTED)
      for (const statement of countTriggers(counted)) await queryRunner.query(statement);
    for (const { name, on, when, body } of FOLLOWED) {
      await queryRunner.query(fn(name, body));
      await queryRunner.query(
        `CREATE TRIGGER ${name} ${on} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
      );
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const { name } of FOLLOWED) await queryRunner.query(`DROP FUNCTION ${name} CASCADE`);
    for (const counted of COUNTED)
      await queryRunner.query(`DROP FUNCTION ${counterName(counted)} CASCADE`);
    for (const table of Object.keys(KEYS))
      await queryRunner.query(`DROP TABLE "${table}"`);
  }
}
