import { OrgInvite } from '../../src/modules/accounts/orgs/org-invite.resource.js';
import type { TestApp } from '../setup/app.js';
import { uniqueName } from './make.js';
import { mailsTo } from '../doubles/mails.js';

const DAY_MS = 86_400_000;

/** An invitation as known from its mail. */
export interface TestInvite {
  id: string;
  email: string;
  /** Token from the e-mail. */
  token: string;
}

/** Invites an address over HTTP as an admin; by default an address without a user. */
export async function makeInvite(
  test: TestApp,
  orgId: string,
  admin: string,
  body: Record<string, unknown> = {},
): Promise<TestInvite> {
  const post = { email: `${uniqueName('guest')}@example.com`, role: 'edit', ...body };
  const answer = await test.client.post(`/orgs/${orgId}/invites`, post, { token: admin });
  if (answer.status !== 200) throw new Error(`Could not send the invitation: ${JSON.stringify(answer.body)}`);
  const email = post.email.toLowerCase();
  const { id } = answer.body.find((invite: OrgInvite) => invite.email === email);
  return { id, email, token: await mailedToken(test, email) };
}

/** Returns the token in the latest mail to an address. */
export async function mailedToken(test: TestApp, email: string): Promise<string> {
  const mails = await mailsTo(test, email);
  return /"token":"([^"]+)"/.exec(mails.at(-1)!.text)![1]!;
}

/** Moves the date of an invitation into the past. */
export async function age(test: TestApp, inviteId: string, days: number): Promise<void> {
  const inviteDate = new Date(Date.now() - days * DAY_MS);
  await test.dataSource.manager.update(OrgInvite, { id: inviteId }, { inviteDate });
}
