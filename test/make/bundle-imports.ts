import type { TestApp } from '../setup/app.js';
import type { TestUser } from './make.js';
import { zipOf, type ZippedContents } from './zip-files.js';

/** Returns a resource file of a bundle in the JSON form of YAML. */
export const yamlOf = (resourceType: string, resources: readonly object[]): string =>
  `resourceType: ${resourceType}\nresources: ${JSON.stringify(resources)}\nversion: 1\n`;

/** Returns the placeholder of an ID in a bundle. */
export const placeholder = (word: string, name: string): string => `~exportplaceholderid-${word}-${name}~`;

/** The smallest valid bundle. */
export const BARE = {
  'application.yaml': yamlOf('Application', [{ id: placeholder('application', 'a'), name: 'Pumps' }]),
};

/** Imports and clones of a user, on the platform of a suite. */
export const importsOf = (test: TestApp, user: TestUser) => ({
  /** Sends a form; fields that are not texts are sent as JSON. */
  async send(path: string, fields: Readonly<Record<string, unknown>>, bundle?: Buffer, token = user.token) {
    const form = new FormData();
    if (bundle) form.append('importBundle', new Blob([new Uint8Array(bundle)]), 'bundle.zip');
    for (const [name, value] of Object.entries(fields))
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
    return test.client.post(path, form, { token });
  },
  /** Imports into a new application. */
  async new(contents: ZippedContents, fields: Readonly<Record<string, unknown>> = {}, token?: string) {
    return this.send('/applications/import', fields, await zipOf(contents), token);
  },
  /** Imports into an application. */
  async into(id: string, contents: ZippedContents, options: object = {}, token?: string) {
    return this.send(`/applications/${id}/import`, { options }, await zipOf(contents), token);
  },
  /** Returns the items of a list of an application. */
  async list(id: string, path: string): Promise<any[]> {
    const { body } = await test.client.get(`/applications/${id}/${path}`, { token: user.token });
    return body.items;
  },
  /** Returns the import log of an application. */
  async log(id: string): Promise<any[]> {
    const path = `/applications/${id}/importLogs?limit=10`;
    return (await test.client.get(path, { token: user.token })).body;
  },
});
