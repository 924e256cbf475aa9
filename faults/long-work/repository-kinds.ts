import { randomBytes } from 'node:crypto';
import type { RequestedJob, Effect, JobKind, OutcomeListener } from './requested-job.js';
import { EVERYTHING, unique, type Field } from './field.js';
import { Undisturbed } from './undisturbed.js';

/** Size of each committed application: enough for a push to take a while. */
const DEVICES = 100;
const FILES = 4;
const FILE_BYTES = 128 * 1024;

/** Name of the credential for the repository. */
const CREDENTIAL = 'repository';
/** Branch that is imported. */
const BUNDLE_BRANCH = 'bundle';
const DAILY = `INSERT INTO jobs (id, name, payload, due_at, creation_date, last_updated)
  VALUES ($1, 'application.dailyCommit', jsonb_build_object('applicationId', $2::text), now(), now(), now()) ON CONFLICT DO NOTHING`;

type Ask = Omit<RequestedJob, 'kind'>;

/** Commits of applications to a repository, each to a separate branch, and imports from there. */
export class RepositoryKinds {
  private readonly undisturbed: Undisturbed;

  private constructor(
    private readonly field: Field,
    private readonly listening: OutcomeListener,
  ) {
    this.undisturbed = new Undisturbed(field);
  }

  /** Adds the bundle to import to the repository. */
  static async make(field: Field, bundle: Buffer, listening: OutcomeListener): Promise<RepositoryKinds> {
    await field.repository.add(BUNDLE_BRANCH, bundle);
    return new RepositoryKinds(field, listening);
  }

  get all(): JobKind[] {
    const kinds: [string, () => Promise<Ask>][] = [
      ['commit', () => this.commit()],
      ['daily commit', () => this.commitOfTheDay()],
      ['import from a repository', () => this.import()],
    ];
    return kinds.map(([name, ask]) => ({ name, ask: async () => ({ kind: name, ...(await ask()) }) }));
  }

  private async commit(): Promise<Ask> {
    const id = await this.filled();
    const repo = newPlace();
    const asked = await this.listening.ask((told) =>
      this.field.client.send('POST', `/applications/${id}/export`, {
        ...EVERYTHING,
        exportType: 'repo',
        credentialName: CREDENTIAL,
        repo,
        ...told,
      }),
    );
    return { ...asked, effect: () => this.committed(id, repo) };
  }

  /** Queues a daily commit job as the daily archive would, because it cannot be requested over the API. */
  private async commitOfTheDay(): Promise<Ask> {
    const { field } = this;
    const id = await this.filled();
    const repo = newPlace();
    const applicationExportOptions = { ...EVERYTHING, credentialName: CREDENTIAL, repo };
    const archiveConfig = {
      s3: field.store.settings,
      directory: id,
      includeApplicationExport: true,
      applicationExportOptions,
    };
    await field.must('PATCH', `/applications/${id}`, { archiveConfig });
    const jobId = randomBytes(12).toString('hex').slice(0, 21);
    await field.rows(DAILY, [jobId, id]);
    const answer = { outcome: 'done', status: 202, body: { jobId } } as const;
    return { answer, listener: {}, effect: () => this.committed(id, repo) };
  }

  private async import(): Promise<Ask> {
    const { field } = this;
    const id = await this.application();
    const before = await field.hashOf(id);
    const asked = await this.listening.ask(({ email, callbackUrl }) => {
      const form = new FormData();
      const options = { credentialName: CREDENTIAL, repo: { branch: BUNDLE_BRANCH }, callbackUrl };
      form.append('email', email);
      form.append('options', JSON.stringify(options));
      return field.client.send('POST', `/applications/${id}/import`, form);
    });
    return { ...asked, effect: () => this.undisturbed.added('import from a repository', id, before) };
  }

  /**
   * Checks that the branch has exactly one additional commit with the content of the application, and that other files
   * are unchanged.
   */
  private async committed(id: string, { branch, directory }: Place): Promise<Effect> {
    const { repository } = this.field;
    const commits = await repository.commits(branch);
    if (commits === undefined) return { whole: 0 };
    if (commits === 0) return { whole: 0, odd: `branch ${branch} has no commit` };
    const isWhole = await repository.holds(branch, directory, await this.field.bundleOf(id));
    return isWhole ? { whole: commits } : { whole: 0, odd: `branch ${branch} has different content` };
  }

  /**
   * Creates an application with a credential for the repository; tries another application if the outcome is uncertain.
   */
  private async application(): Promise<string> {
    const { field } = this;
    const credential = { name: CREDENTIAL, type: 'git', gitConfig: field.repository.gitConfig };
    for (;;) {
      const id = await field.application(await field.organization(), { name: 'Target' });
      const { outcome } = await field.client.send('POST', `/applications/${id}/credentials`, credential);
      if (outcome === 'done') return id;
    }
  }

  private async filled(): Promise<string> {
    const id = await this.application();
    await this.field.addDevices(id, DEVICES);
    for (let n = 0; n < FILES; n++) await this.field.addFile(id, `file-${n}.bin`, FILE_BYTES);
    return id;
  }
}

/** A unique place in the repository. */
interface Place {
  branch: string;
  directory: string;
}

const newPlace = (): Place => ({ branch: unique(), directory: unique() });
