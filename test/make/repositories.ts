import { GitServer } from '../doubles/git-server.js';
import { suite } from '../setup/suite.js';
import { BundledApplication } from './bundles.js';
import { waitForOutcome } from './exports.js';

const COMMITTER = { committerName: 'North <Field>', committerEmail: 'field@example.com' };

/** Provides an application, a new repository for each test, and exports to it. */
export function repositoriesOfApplication() {
  const env: Record<string, string> = { EXPORT_INTERVAL: '0' };
  let git: GitServer;
  let count = 0;
  let name: string;
  beforeAll(async () => {
    git = await GitServer.start();
    env.GIT_ORIGINS = git.origin;
  });
  afterAll(() => git.stop());
  const { test, user, application } = suite(env);
  beforeEach(async () => {
    name = `r${++count}`;
    await git.make(name);
    await credential();
  });

  const bundled = new BundledApplication(test, application, user);
  /** Creates the repository credential; only the exported application's credential sets the committer. */
  const credential = (config: object = COMMITTER, more: object = {}, into = bundled) =>
    into.make('/credentials', {
      name: 'repository',
      type: 'git',
      gitConfig: {
        type: 'http-password',
        cloneUrl: git.url(name),
        username: 'ada',
        secretValue: 'hidden-token',
        ...config,
      },
      ...more,
    });
  const ask = (repo: object = {}, more: object = {}) =>
    bundled.ask({ exportType: 'repo', credentialName: 'repository', repo, ...more });
  async function exported(repo: object = {}, more: object = {}) {
    const { status, body } = await ask(repo, more);
    expect({ status, body }).toMatchObject({ status: 202, body: { jobQueued: true } });
    return waitForOutcome(test, body.jobId);
  }
  return {
    test,
    user,
    application,
    bundled,
    credential,
    ask,
    exported,
    /** The server and the name of the repository, from the first `beforeEach` on. */
    get repository() {
      return { git, name };
    },
  };
}
