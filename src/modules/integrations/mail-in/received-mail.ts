import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { ValidationError } from '../../../lib/errors/errors.js';

/** Maximum nesting of emails in emails; more than occurs in practice. */
const MAX_DEPTH = 20;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_ATTACHMENTS = 100;

/**
 * Parses an email to the payload of workflows. None of its contents can be trusted, because the sender controls all of
 * it.
 */
export async function readMail(bytes: Buffer): Promise<object> {
  const parser = new PostalMime({
    maxNestingDepth: MAX_DEPTH,
    maxHeadersSize: MAX_HEADER_BYTES,
    attachmentEncoding: 'base64',
  });
  const mail = await parser.parse(bytes).catch(() => {
    throw new ValidationError('The email cannot be parsed');
  });
  const { from, to = [], cc = [], replyTo = [], subject = '', text = '', html, date, messageId } = mail;
  if (mail.attachments.length > MAX_ATTACHMENTS)
    throw new ValidationError(`The email must have at most ${MAX_ATTACHMENTS} attachments`);
  return {
    from: from && shown(from),
    ...{ to: to.map(shown), cc: cc.map(shown), replyTo: replyTo.map(shown) },
    ...{ subject, text, html, date, messageId },
    attachments: mail.attachments.map(attached),
  };
}

/** Returns an address, or a named group of addresses. */
const shown = ({ name, address, group }: Address): object => ({
  name,
  ...(group ? { group: group.map(({ name: of, address: at }) => ({ name: of, address: at })) } : { address }),
});

const attached = ({ filename, mimeType, contentId, content }: Attachment): object => ({
  fileName: filename ?? undefined,
  contentType: mimeType,
  contentId,
  // The parser is configured to return Base64.
  value: content,
});
