import { APPLICATION } from '../../../../test/contract/sample-paths.js';
import { type SampleBodies, type Samples, type Body } from '../../../../test/contract/samples.js';

export const BODIES: SampleBodies = {
  'application.archiveData': async (samples) => {
    await archiving(samples);
    return { query: `date=${Date.now() - 40 * 86_400_000}` };
  },
  'application.backfillArchiveData': archiving,
  'application.fullEventsArchive': archiving,
  'application.fullDataTablesArchive': archiving,
};

/** Has their application archive to a store that nobody can reach, with its data kept for long enough. */
async function archiving(samples: Samples): Promise<Body> {
  const { dataSource } = samples.test;
  const id = await samples.idOf(APPLICATION);
  const config = { s3: { bucket: 'pump-archive' } };
  await dataSource.query('UPDATE applications SET archive_config = $2 WHERE id = $1', [id, config]);
  for (const table of ['orgs', 'users'])
    await dataSource.query(
      `UPDATE ${table} SET limits = coalesce(limits, '{}') || '{"dataTTL":5184000}'
        WHERE id = (SELECT owner_id FROM applications WHERE id = $1)`,
      [id],
    );
  return {};
}
