import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction } from '../platform/database/migrate.js';

const COLUMNS = 'application_id, key, type, version, flow_id, flow_version_id, config';
const OF_INACTIVITY = ['deviceIdInactivity', 'deviceTagInactivity'];
const BEFORE = ['deviceId', 'deviceTag', 'appFile', 'dataTable', 'event', 'endpoint', ...OF_INACTIVITY];
const ADDED = ['integration', 'mqttTopic'];

/** As created by the earlier migration, with the configuration of the added types. */
const listOf = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ');
const configOf = (types: readonly string[]) => `CASE WHEN t.type IN (${listOf(types)}) THEN t.config END`;
const ofFlows = (flows: string, types: readonly string[]) => `SELECT DISTINCT f.application_id, t.key, t.type,
    d.version, f.id, d.version_id, ${configOf(types)}
  FROM ${flows} f CROSS JOIN LATERAL (VALUES ('develop', NULL, f.triggers), ('default', f.default_version_id,
    CASE WHEN f.default_version_id IS NULL THEN f.triggers
      ELSE (SELECT v.triggers FROM flow_versions v WHERE v.id = f.default_version_id) END)) d (version, version_id, triggers)
  CROSS JOIN LATERAL jsonb_to_recordset(d.triggers) t (type text, key text, config jsonb)`;
const ofVersions = (versions: string, types: readonly string[]) => `SELECT DISTINCT v.application_id, t.key, t.type,
    n.version, v.flow_id, v.id, ${configOf(types)}
  FROM ${versions} v CROSS JOIN LATERAL unnest(
    CASE (SELECT f.default_version_id FROM flows f WHERE f.id = v.flow_id) WHEN v.id THEN ARRAY[v.version, 'default']
      ELSE ARRAY[v.version] END) n (version)
  CROSS JOIN LATERAL jsonb_to_recordset(v.triggers) t (type text, key text, config jsonb)`;

const add = (rows: string) => `INSERT INTO flow_triggers (${COLUMNS}) ${rows}`;
const replaced = (name: string, body: string) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`;
const dropOfFlow = `DELETE FROM flow_triggers WHERE flow_id = OLD.id AND version IN ('develop', 'default');`;
const dropOfVersion = `DELETE FROM flow_triggers
  WHERE flow_id = OLD.flow_id AND version IN (OLD.version, 'default') AND flow_version_id = OLD.id;`;

const functions = (types: readonly string[]) => [
  replaced('add_flow_triggers', `${add(ofFlows('come', types))};`),
  replaced('change_flow_triggers', `${dropOfFlow} ${add(ofFlows('(SELECT NEW.*)', types))};`),
  replaced('add_version_triggers', `${add(ofVersions('come', types))};`),
  replaced('change_version_triggers', `${dropOfVersion} ${add(ofVersions('(SELECT NEW.*)', types))};`),
];
const OF_ADDED = `type IN (${listOf(ADDED)})`;

/** Adds the kinds of messages and the brokers that triggers select to the trigger index. */
export class IntegrationTriggers1795804737131 implements MigrationInterface {
  name = 'IntegrationTriggers1795804737131';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await inTransaction(queryRunner, this.name, async () => {
      for (const made of functions([...BEFORE, ...ADDED])) await queryRunner.query(made);
    });
    await queryRunner.query(`UPDATE flow_triggers t SET config = (SELECT n.config FROM jsonb_to_recordset(
        CASE WHEN t.flow_version_id IS NULL THEN (SELECT f.triggers FROM flows f WHERE f.id = t.flow_id)
          ELSE (SELECT v.triggers FROM flow_versions v WHERE v.id = t.flow_version_id) END)
        n (type text, key text, config jsonb) WHERE n.type = t.type AND n.key = t.key LIMIT 1)
      WHERE t.${OF_ADDED}`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const made of functions(BEFORE)) await queryRunner.query(made);
    await queryRunner.query(`UPDATE flow_triggers SET config = NULL WHERE ${OF_ADDED}`);
  }
}
