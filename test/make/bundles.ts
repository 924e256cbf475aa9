import { parse } from 'yaml';
import type { TestApp } from '../setup/app.js';
import { download } from './exports.js';
import { reachable, upload } from './upload-forms.js';
import { unzippedBytes } from './zip-files.js';

/** Matches any resource hash. */
export const HASH: unknown = expect.stringMatching(/^[\da-f]{64}$/);

/** Returns the placeholder of a resource, or of one of its texts. */
export const placeholder = (word: string, name: string): string => `~exportplaceholderid-${word}-${name}~`;

/** Reads the bundle behind a link: its files by name, and its resources by file. */
export async function readBundle(test: TestApp, link: string) {
  const response = await download(test, link);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const files = await unzippedBytes(bytes);
  const yaml = (name: string) => parse(files[name]!.toString(), { maxAliasCount: 0 });
  return { bytes, files, yaml, resources: (name: string): any[] => yaml(name).resources };
}

/** Operations of bundle tests on an application. */
export class BundledApplication {
  constructor(
    private readonly test: TestApp,
    private readonly application: { id: string },
    private readonly user: { token: string },
  ) {}

  at(path: string): string {
    return `/applications/${this.application.id}${path}`;
  }

  ask(body: object = {}) {
    return this.test.client.post(this.at('/export'), body, { token: this.user.token });
  }

  async make(path: string, body: object): Promise<any> {
    const answer = await this.test.client.post(this.at(path), body, { token: this.user.token });
    expect(answer).toMatchObject({ status: 201 });
    return answer.body;
  }

  async makeFile(list: string, body: object, content: string): Promise<any> {
    const file = await this.make(list, { type: 'file', ...body });
    expect((await upload(reachable(file.upload, this.test), content)).status).toBeLessThan(300);
    return file;
  }

  async exported(body: object = {}) {
    const answer = await this.ask(body);
    expect(answer).toMatchObject({ status: 200, body: { url: expect.any(String) } });
    return readBundle(this.test, answer.body.url);
  }
}
