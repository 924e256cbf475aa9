import { ValidationError } from '../errors/errors.js';

/** Maximum number of certificates. Each takes a millisecond or two of processor time to read. */
const MAX_CERTIFICATES = 32;
const BLANK = /\s*/y;
/** Neither part may contain a hyphen, so that any text is matched in a single pass. */
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,64})-----([A-Za-z0-9+/=\s]+)-----END \1-----/y;

/**
 * Returns the certificates of a PEM text in DER. Throws a `400` error if it contains anything else, since the text is
 * stored and returned, and must not contain a private key by mistake.
 */
export function readPem(text: string, at: string): Buffer[] {
  if (/PRIVATE KEY/.test(text))
    throw new ValidationError(
      `${at} must not contain a private key: keep it with the device or the authority`,
    );
  const found: Buffer[] = [];
  let position = match(BLANK, text, 0)![0].length;
  while (position < text.length) {
    const block = match(BLOCK, text, position);
    if (!block)
      throw new ValidationError(
        `${at} must contain only certificates in PEM format, but line ${lineOf(text, position)} is not part of one`,
      );
    const [whole, label, base64] = block;
    if (label !== 'CERTIFICATE')
      throw new ValidationError(`${at} must contain only certificates, but contains a ${label!.trim()}`);
    if (found.length === MAX_CERTIFICATES)
      throw new ValidationError(`${at} must contain at most ${MAX_CERTIFICATES} certificates`);
    found.push(Buffer.from(base64!, 'base64'));
    position += whole.length;
    position += match(BLANK, text, position)![0].length;
  }
  if (!found.length) throw new ValidationError(`${at} must contain at least one certificate`);
  return found;
}

function match(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length;
