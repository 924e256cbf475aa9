import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Recounts the job logs of applications. Counts of jobs that were older than their application, such as imports, were
 * lost. Repeated, it adds nothing.
 */
export class JobLogCounts1795635000004 implements MigrationInterface {
  name = 'JobLogCounts1795635000004';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `INSERT INTO count_deltas (holder_id, owner_id, kind, n)
        SELECT s.holder_id, (SELECT a.owner_id FROM applications a WHERE a.id = s.holder_id AND a.deleted_at IS NULL),
          'jobLogCount', sum(s.n)
        FROM (SELECT application_id AS holder_id, count(*) AS n FROM jobs WHERE application_id IS NOT NULL GROUP BY 1
          UNION ALL SELECT holder_id, -(counts->>'jobLogCount')::bigint FROM kept_counts WHERE counts ? 'jobLogCount'
          UNION ALL SELECT holder_id, -n FROM count_deltas WHERE kind = 'jobLogCount') s
        WHERE s.holder_id IN (SELECT id FROM applications) GROUP BY s.holder_id HAVING sum(s.n) <> 0`,
    );
  }

  /** The counts were wrong before. */
  public async down(): Promise<void> {}
}
