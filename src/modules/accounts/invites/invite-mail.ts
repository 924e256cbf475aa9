import type { OutgoingMail } from '../../../platform/mail/mail.service.js';
import type { OrgInvite } from '../orgs/org-invite.resource.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';

/** What an invitation's mail says beside the invitation itself. */
export interface InviteMailFacts {
  orgName: string;
  token: string;
  /** Where callers reach the API. */
  publicUrl: string;
}

/** The mail with which somebody is invited: what to, by whom, until when, and how to answer. */
export function inviteMail(
  invite: Pick<OrgInvite, 'email' | 'role' | 'inviteDate' | 'invitedByName' | 'invitedByEmail'>,
  { orgName, token, publicUrl }: InviteMailFacts,
): OutgoingMail {
  const { email, role, inviteDate, invitedByName, invitedByEmail } = invite;
  const organization = oneLine(orgName);
  const inviter = [oneLine(invitedByName ?? ''), invitedByEmail && `<${invitedByEmail}>`]
    .filter(Boolean)
    .join(' ');
  const end = new Date(inviteDate.getTime() + INVITE_TTL_SECONDS * 1000);
  const query = new URLSearchParams({ token, email });
  const text = `Hello,

${inviter || 'Somebody'} invites you to the organization "${organization}", in which your role would be "${role}".

Look at the invitation:
${publicUrl}/invites?${query.toString()}

To accept it, you need an account with this e-mail address here. Signed in, you find it among your invitations:
${publicUrl}/me/invites

You can also accept or decline it without signing in. Send this, with "accept": false to decline:

POST ${publicUrl}/invites
Content-Type: application/json

${JSON.stringify({ email, token, accept: true })}

The invitation ends in 7 days, on ${end.toUTCString()}. If you do not know what this is about, you can ignore it. Do not hand this mail on: whoever has it can answer for you.
`;
  return { to: email, subject: `Invitation to ${organization}`, text };
}

/** Names come from people: none may look like a line of the mail. */
function oneLine(name: string): string {
  return name.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
