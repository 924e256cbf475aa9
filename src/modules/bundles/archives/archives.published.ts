import { startS3Archive, type ArchiveServer } from '../../../../test/doubles/archive-stores.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

let s3: ArchiveServer;

export async function prepare(env: Record<string, string>): Promise<() => Promise<void>> {
  s3 = await startS3Archive();
  env.ARCHIVE_S3_ENDPOINT = s3.endpoint;
  return () => s3.close();
}

/** Tests archives of applications. */
export function drive(published: Published): void {
  it('archives application data', async () => {
    const { api } = await published.signedIn();
    const { id: orgId } = await api.orgs!.post!({ organization: { name: uniqueName() } });
    const archiveConfig = { s3: s3.settings, directory: uniqueName(), includeEvents: true };
    const application = { name: uniqueName(), orgId, archiveConfig };
    const { id: applicationId } = await api.applications!.post!({ application });
    const date = String(Date.now() - 40 * 86_400_000);
    await expect(api.application!.archiveData!({ applicationId, date })).rejects.toMatchObject({
      statusCode: 400,
    });
    const set = `UPDATE orgs SET limits = '{"dataTTL":5184000}' WHERE id = $1`;
    await published.test.dataSource.query(set, [orgId]);
    const jobs = [
      await api.application!.archiveData!({ applicationId, date }),
      await api.application!.backfillArchiveData!({ applicationId }),
      await api.application!.fullEventsArchive!({ applicationId }),
      await api.application!.fullDataTablesArchive!({ applicationId }),
    ];
    for (const { jobId } of jobs)
      expect((await waitForOutcome(published.test, jobId)).status).toBe('completed');
  });
}
