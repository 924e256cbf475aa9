import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { ValidationError } from '../../../lib/errors/errors.js';

/** Deeper than people nest mails in mails. */
const DEEPEST = 20;
const LARGEST_HEADERS = 64 * 1024;
const MOST_ATTACHMENTS = 100;

/** What workflows get of a mail. Nothing in it is known to be true: whoever sends a mail writes all of it. */
export async function readMail(bytes: Buffer): Promise<object> {
  const parser = new PostalMime({
    maxNestingDepth: DEEPEST,
    maxHeadersSize: LARGEST_HEADERS,
    attachmentEncoding: 'base64',
  });
  const mail = await parser.parse(bytes).catch(() => {
    throw new ValidationError('The mail cannot be read');
  });
  const { from, to = [], cc = [], replyTo = [], subject = '', text = '', html, date, messageId } = mail;
  if (mail.attachments.length > MOST_ATTACHMENTS)
    throw new ValidationError(`A mail has at most ${MOST_ATTACHMENTS} attachments`);
  return {
    from: from && shown(from),
    ...{ to: to.map(shown), cc: cc.map(shown), replyTo: replyTo.map(shown) },
    ...{ subject, text, html, date, messageId },
    attachments: mail.attachments.map(attached),
  };
}

/** An address, or a group of them by its name. */
const shown = ({ name, address, group }: Address): object => ({
  name,
  ...(group ? { group: group.map(({ name: of, address: at }) => ({ name: of, address: at })) } : { address }),
});

const attached = ({ filename, mimeType, contentId, content }: Attachment): object => ({
  fileName: filename ?? undefined,
  contentType: mimeType,
  contentId,
  // In base64, as the parser was told.
  value: content,
});
