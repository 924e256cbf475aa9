import type { DataSource } from 'typeorm';

export interface InstanceLine {
  id: string;
  name: string;
  /** E-mail addresses of the administrators of the instance. */
  admins: string[];
}

/** Returns all instances with their administrators, oldest first. */
export function listInstances(dataSource: DataSource): Promise<InstanceLine[]> {
  return dataSource.query<InstanceLine[]>(
    `SELECT i.id, i.name, coalesce(array_agg(u.email ORDER BY u.email) FILTER (WHERE u.id IS NOT NULL), '{}') AS admins
     FROM instances i
     LEFT JOIN instance_members m ON m.instance_id = i.id AND m.role = 'admin'
     LEFT JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL
     GROUP BY i.id ORDER BY i.id`,
  );
}
