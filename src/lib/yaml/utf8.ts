import { ValidationError } from '../errors/errors.js';

/**
 * Decodes the content of a file as it arrives, without its byte order mark. Throws a `400` error for invalid UTF-8.
 * `at` is the path.
 */
export async function* utf8Of(content: AsyncIterable<Uint8Array>, at: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new ValidationError(`${at} is not in UTF-8`);
    }
  };
  for await (const chunk of content) yield decode(chunk);
  yield decode();
}
