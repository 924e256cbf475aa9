import type { DataSource } from 'typeorm';

/** What changes without any request's doing: the queue's own notes and what expires. */
const RESTLESS = new Set(['jobs', 'migrations']);

/** A checksum of each table's rows. */
export async function snapshot(dataSource: DataSource): Promise<Record<string, string>> {
  const tables: { table_name: string }[] = await dataSource.query(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const sums = tables
    .map(({ table_name }) => table_name)
    .filter((name) => !RESTLESS.has(name))
    .map((name) => {
      const rows = `string_agg(md5(t::text), '' ORDER BY md5(t::text))`;
      return `SELECT '${name}' AS name, md5(coalesce(${rows}, '')) AS sum FROM "${name}" t`;
    });
  const found: { name: string; sum: string }[] = await dataSource.query(
    `${sums.join(' UNION ALL ')} ORDER BY 1`,
  );
  return Object.fromEntries(found.map(({ name, sum }) => [name, sum]));
}
