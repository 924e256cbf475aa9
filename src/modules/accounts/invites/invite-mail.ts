import type { OutgoingMail } from '../../../platform/mail/mail.service.js';
import type { OrgInvite } from '../orgs/org-invite.resource.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';

/** Contents of an invitation e-mail besides the invitation itself. */
export interface InviteMailData {
  orgName: string;
  token: string;
  /** Public URL of the API. */
  publicUrl: string;
}

/** Returns the e-mail of an invitation: the organization, the sender, the expiration and how to respond. */
export function inviteMail(
  invite: Pick<OrgInvite, 'email' | 'role' | 'inviteDate' | 'invitedByName' | 'invitedByEmail'>,
  { orgName, token, publicUrl }: InviteMailData,
): OutgoingMail {
  const { email, role, inviteDate, invitedByName, invitedByEmail } = invite;
  const organization = toOneLine(orgName);
  const inviter = [toOneLine(invitedByName ?? ''), invitedByEmail && `<${invitedByEmail}>`]
    .filter(Boolean)
    .join(' ');
  const end = new Date(inviteDate.getTime() + INVITE_TTL_SECONDS * 1000);
  const query = new URLSearchParams({ token, email });
  const text = `Hello,

${inviter || 'Somebody'} invites you to the organization "${organization}" with the role "${role}".

View the invitation:
${publicUrl}/invites?${query.toString()}

To accept it, you need an account with this email address. After signing in, your invitations are listed at:
${publicUrl}/me/invites

You can also accept or decline the invitation without signing in. Send this request, with "accept": false to decline:

POST ${publicUrl}/invites
Content-Type: application/json

${JSON.stringify({ email, token, accept: true })}

The invitation expires in 7 days, on ${end.toUTCString()}. If you did not expect it, you can ignore this email. Do not forward this email: it allows anyone to respond on your behalf.
`;
  return { to: email, subject: `Invitation to ${organization}`, text };
}

/** Names are user input: they must not be able to form a separate line of the e-mail. */
function toOneLine(name: string): string {
  return name.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
