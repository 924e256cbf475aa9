import type { DataSource } from 'typeorm';
import { newId } from '../../src/platform/repositories/resource.js';

/** IDs of owners and of five applications. */
export interface Field {
  instance: string;
  users: string[];
  orgs: string[];
  apps: string[];
}

/** Creates an instance with two users and two organizations that own applications. */
export async function makeField(dataSource: DataSource): Promise<Field> {
  const [instance, ...ids] = Array.from({ length: 10 }, newId) as [string, ...string[]];
  const [users, orgs, apps] = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)];
  const dates = 'creation_date, last_updated';
  await dataSource.query(
    `INSERT INTO instances (id, name, allow_audit_logging, ${dates}) VALUES ($1, 'a', true, now(), now())`,
    [instance],
  );
  await dataSource.query(
    `INSERT INTO users (id, ${dates}, email, email_verified, sso_linked, instance_id)
     SELECT id, now(), now(), id || '@example.com', true, false, $2 FROM unnest($1::text[]) id`,
    [users, instance],
  );
  await dataSource.query(
    `INSERT INTO orgs (id, ${dates}, instance_id, name, is_read_only) SELECT id, now(), now(), $2, 'a', false FROM unnest($1::text[]) id`,
    [orgs, instance],
  );
  const field = { instance, users, orgs, apps };
  for (const [i, app] of apps.entries()) await addApplication(dataSource, app, [...users, ...orgs][i % 4]!);
  return field;
}

const addApplication = (dataSource: DataSource, id: string, owner: string) =>
  dataSource.query(
    `INSERT INTO applications (id, creation_date, last_updated, owner_id, owner_type, name)
     SELECT $1, now(), now(), $2, CASE WHEN EXISTS (SELECT FROM users WHERE id = $2) THEN 'user' ELSE 'organization' END, 'a'`,
    [id, owner],
  );
