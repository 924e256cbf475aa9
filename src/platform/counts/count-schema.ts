/**
 * Database schema of kept counts.
 *
 * Each statement that changes a count inserts a row into `count_deltas`. About once a second a worker empties that
 * table and adds its rows to `kept_counts`. A holder is an application, a user, an organization, an instance or a
 * workflow.
 *
 * `kept_counts.owner_id` is the owner whose counts include those of an application. It changes together with the
 * application's row, so pending deltas are added to the owner that is current at that time. `count_deltas.owner_id`
 * only serves to read an owner's counts before that. Migrations run these statements, so they must never change.
 */
export const COUNT_SCHEMA: readonly string[] = [
  `CREATE TABLE kept_counts (
    holder_id text PRIMARY KEY,
    owner_id text,
    counts jsonb NOT NULL DEFAULT '{}'
  ) WITH (fillfactor = 70)`,
  `CREATE TABLE count_deltas (
    holder_id text NOT NULL,
    owner_id text,
    kind text NOT NULL,
    n bigint NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000)`,
  'CREATE INDEX count_deltas_by_holder ON count_deltas (holder_id)',
  'CREATE INDEX count_deltas_by_owner ON count_deltas (owner_id) WHERE owner_id IS NOT NULL',
  `CREATE FUNCTION add_counts(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg(sums.kind, sums.n), '{}') FROM (
      SELECT each.key AS kind, sum(each.value::bigint) AS n
      FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) each
      GROUP BY each.key HAVING sum(each.value::bigint) <> 0) sums $$`,
  // Rows are locked in the same order as by a worker: first the deltas, then the kept counts.
  `CREATE FUNCTION move_application_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      left_by text := CASE WHEN OLD.deleted_at IS NULL THEN OLD.owner_id END;
      taken_by text := CASE WHEN TG_OP = 'UPDATE' AND NEW.deleted_at IS NULL THEN NEW.owner_id END;
      moved jsonb;
    BEGIN
      IF left_by IS DISTINCT FROM taken_by THEN
        UPDATE count_deltas SET owner_id = taken_by WHERE holder_id = OLD.id;
        INSERT INTO kept_counts AS k (holder_id, owner_id) VALUES (OLD.id, taken_by)
          ON CONFLICT (holder_id) DO UPDATE SET owner_id = excluded.owner_id RETURNING k.counts INTO moved;
        moved := add_counts(moved, '{"appCount": 1}');
        INSERT INTO count_deltas (holder_id, kind, n)
          SELECT side.holder_id, each.key, side.sign * each.value::bigint
          FROM (VALUES (left_by, -1), (taken_by, 1)) side (holder_id, sign), jsonb_each_text(moved) each
          WHERE side.holder_id IS NOT NULL;
      END IF;
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END $$`,
  `CREATE TRIGGER move_application_counts_update AFTER UPDATE OF owner_id, deleted_at ON applications
    FOR EACH ROW EXECUTE FUNCTION move_application_counts()`,
  `CREATE TRIGGER move_application_counts_delete BEFORE DELETE ON applications
    FOR EACH ROW EXECUTE FUNCTION move_application_counts()`,
  `CREATE FUNCTION forget_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM count_deltas WHERE holder_id = ANY (ARRAY(SELECT id FROM gone));
      DELETE FROM kept_counts WHERE holder_id = ANY (ARRAY(SELECT id FROM gone));
      RETURN NULL;
    END $$`,
  ...['applications', 'users', 'orgs', 'flows'].map(
    (table) => `CREATE TRIGGER forget_counts AFTER DELETE ON ${table}
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_counts()`,
  ),
  // Users who have deleted their account are not counted as members, and deleted organizations are not counted for
  // their members.
  `CREATE FUNCTION count_user_state() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE sign int := CASE WHEN NEW.permanent_deletion IS NULL THEN 1 ELSE -1 END;
    BEGIN
      INSERT INTO count_deltas (holder_id, kind, n)
        SELECT m.org_id, 'memberCount', sign FROM org_members m WHERE m.user_id = NEW.id
        UNION ALL SELECT NEW.instance_id, 'userCount', sign;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER count_user_state AFTER UPDATE OF permanent_deletion ON users FOR EACH ROW
    WHEN ((OLD.permanent_deletion IS NULL) <> (NEW.permanent_deletion IS NULL)) EXECUTE FUNCTION count_user_state()`,
  `CREATE FUNCTION count_org_state() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE sign int := CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END;
    BEGIN
      INSERT INTO count_deltas (holder_id, kind, n)
        SELECT m.user_id, 'orgCount', sign FROM org_members m WHERE m.org_id = NEW.id
        UNION ALL SELECT NEW.instance_id, 'orgCount', sign;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER count_org_state AFTER UPDATE OF deleted_at ON orgs FOR EACH ROW
    WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION count_org_state()`,
];

/** Reverts `COUNT_SCHEMA`. */
export const DROP_COUNT_SCHEMA: readonly string[] = [
  'DROP TRIGGER count_org_state ON orgs',
  'DROP TRIGGER count_user_state ON users',
  ...['applications', 'users', 'orgs', 'flows'].map((table) => `DROP TRIGGER forget_counts ON ${table}`),
  'DROP TRIGGER move_application_counts_delete ON applications',
  'DROP TRIGGER move_application_counts_update ON applications',
  ...[
    'count_org_state',
    'count_user_state',
    'forget_counts',
    'move_application_counts',
    'add_counts(jsonb, jsonb)',
  ].map((name) => `DROP FUNCTION ${name}`),
  'DROP TABLE count_deltas',
  'DROP TABLE kept_counts',
];
