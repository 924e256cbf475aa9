import { makeUser, uniqueName } from '../make/make.js';
import type { Samples } from './samples.js';

export const APPLICATION = '/applications/{applicationId}';
export const ORG = '/orgs/{orgId}';
export const MEMBER = '/orgs/{orgId}/member/{userId}';
export const INSTANCE = '/instances/{instanceId}';
export const SANDBOX = '/instances/{instanceId}/sandboxes/{instanceSandboxId}';

/** Creates a user of the instance without a role in it. */
export async function userOfInstance(samples: Samples): Promise<string> {
  const instanceId = await samples.idOf(INSTANCE);
  return (await makeUser(samples.test, { instanceId })).id;
}

/** Builds a form with one file under the given field name. */
export function fileForm(name: string): FormData {
  const form = new FormData();
  form.append(name, new Blob(['content'], { type: 'text/plain' }), 'content.txt');
  return form;
}

/** Creates an invitation and returns its ID from the list, because the creation does not return it. */
export async function inviteAt(samples: Samples, path: string): Promise<string> {
  const email = `${uniqueName()}@example.com`;
  await samples.post(path, { email, role: 'view' });
  const { body } = await samples.send('GET', path);
  return (body.items ?? body).find((invite: { email: string }) => invite.email === email).id;
}
