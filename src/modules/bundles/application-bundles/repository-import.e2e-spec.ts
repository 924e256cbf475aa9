import { BundledApplication } from '../../../../test/make/bundles.js';
import { importsOf } from '../../../../test/make/bundle-imports.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { GitServer } from '../../../../test/doubles/git-server.js';
import { makeApplication } from '../../../../test/make/make.js';
import { repositoriesOfApplication } from '../../../../test/make/repositories.js';

const repositories = repositoriesOfApplication();
const { test, user, application, bundled, credential, exported } = repositories;
let git: GitServer;
let name: string;
beforeEach(() => {
  ({ git, name } = repositories.repository);
});

const imports = importsOf(test, user);

describe('import from a repository', () => {
  const into = (id: string, options: object = {}) =>
    imports.send(`/applications/${id}/import`, { options: { credentialName: 'repository', ...options } });

  async function imported(options: object = {}) {
    const { status, body } = await into(application.id, options);
    expect({ status, body }).toMatchObject({ status: 202 });
    return waitForOutcome(test, body.jobId);
  }

  it('restores an exported application', async () => {
    const { id } = await bundled.make('/devices', { name: 'Pump 1' });
    await bundled.make('/devices', { name: 'Valve', tags: [{ key: 'of', value: id }] });
    await bundled.makeFile('/files', { name: 'Ä b.txt', parentDirectory: '/' }, 'x'.repeat(100_000));
    const all = { includeDevices: true, includeFiles: true };
    await exported({ directory: 'here' }, all);
    const { files: zip } = await bundled.exported(all);
    const committed = await git.files(name);
    expect(Object.keys(committed).sort()).toEqual(
      Object.keys(zip)
        .map((path) => `here/${path}`)
        .sort(),
    );
    const target = await makeApplication(test, user.token);
    const second = new BundledApplication(test, target, user);
    await credential({}, {}, second);
    const { body } = await into(target.id, { repo: { branch: 'main', directory: 'here' } });
    expect(await waitForOutcome(test, body.jobId)).toMatchObject({ status: 'completed' });
    const { files: back } = await second.exported(all);
    const resources = ['devices.yaml', 'README.md'];
    expect(resources.map((path) => back[path]!.toString())).toEqual(
      resources.map((path) => zip[path]!.toString()),
    );
    const contents = Object.keys(zip).filter((path) => path.startsWith('files/'));
    expect(contents.map((path) => back[path])).toEqual(contents.map((path) => zip[path]));
    expect(contents.length).toBeGreaterThan(0);
    expect(await imports.log(target.id)).toMatchObject([
      {
        status: 'completed',
        importSourceType: 'repository',
        credentialName: 'repository',
        repo: { branch: 'main', directory: 'here' },
      },
    ]);
  });

  it('rejects invalid options', async () => {
    const faults = [
      [{ credentialName: 'none' }, 'options.credentialName does not match a credential of the application'],
      [{ credentialName: undefined, repo: {} }, 'options.credentialName is required'],
      [{ importUrl: 'https://a.example.com/b.zip' }, 'importBundle: the form must have one bundle'],
    ] as const;
    for (const [options, message] of faults) {
      const answer = await into(application.id, options);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(message);
    }
  });

  it('fails if there is nothing to import', async () => {
    const messages = [];
    messages.push((await imported()).error!.message);
    await git.commit(name, { 'a.txt': 'of others' });
    for (const repo of [{ branch: 'b' }, { directory: 'd' }, { directory: 'a.txt' }, {}])
      messages.push((await imported({ repo })).error!.message);
    expect(messages).toEqual([
      'options.repo.branch does not exist in the repository',
      'options.repo.branch does not exist in the repository',
      'options.repo.directory is not a directory of the branch',
      'options.repo.directory is not a directory of the branch',
      'importBundle has no file application.yaml',
    ]);
  });

  it('rejects links, submodules and names that are unsafe on disk', async () => {
    const blob = await git.blob(name, 'x');
    const empty = await git.plant(name, []);
    const messages = [];
    for (const lines of [
      [`120000 blob ${blob}\tlink`],
      [`160000 commit ${'1'.repeat(40)}\tmodule`],
      [`040000 tree ${empty}\t.GIT`],
      [`040000 tree ${empty}\t..`],
      [`100644 blob ${blob}\ta`, `100644 blob ${blob}\tA`],
      [`100644 blob ${'1'.repeat(40)}\tmissing`],
    ]) {
      await git.plant(name, lines);
      messages.push((await imported()).error!.message);
    }
    expect(messages).toEqual([
      'options.repo.directory has a link: "link"',
      'options.repo.directory has a submodule: "module"',
      'options.repo.directory has a file with an invalid path: ".GIT"',
      'options.repo.directory has a file with an invalid path: ".."',
      'options.repo.directory has names that differ only in upper and lower case: "a"',
      expect.stringMatching(/^options\.credentialName leads to a (server that reports|repository that)/),
    ]);
  });

  it('limits the number of files that a small repository expands to', async () => {
    let tree = await git.plant(name, [`100644 blob ${await git.blob(name, 'x')}\ta`]);
    const wide = (oid: string) => Array.from({ length: 20 }, (_, n) => `040000 tree ${oid}\tt${n}`);
    for (let depth = 0; depth < 6; depth++) tree = await git.plant(name, wide(tree));
    expect((await imported()).error!.message).toBe('options.repo.directory has more than 50000 files');
  });
});
