import type { TestApp } from '../setup/app.js';
import { makeApplication, makeUser } from './make.js';

/** IDs of an export, which no application has. */
export const OLD = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(24)) as [string, string, string, string];

/** Creates an application to import into, with functions to import and to list its workflows. */
export async function makeImportTarget(test: TestApp, token?: string) {
  const user = await makeUser(test);
  const as = token ?? user.token;
  const application = await makeApplication(test, as);
  const path = `/applications/${application.id}/flows`;
  const stored = async () => [
    ...(await test.client.get(`${path}?query=%7B%7D`, { token: as })).body.items,
    ...(await test.client.get(`${path}/version?version=1&query=%7B%7D`, { token: as })).body.items,
  ];
  return {
    user,
    token: as,
    application,
    path,
    stored,
    send: (body: unknown) => test.client.post(`${path}/import`, body, { token: as }),
  };
}
