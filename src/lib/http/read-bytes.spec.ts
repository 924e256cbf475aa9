import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PayloadTooLarge } from '../errors/errors.js';
import { readBytes } from './read-bytes.js';

function requestOf(...chunks: readonly string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  for (const chunk of chunks) request.push(Buffer.from(chunk));
  request.push(null);
  request.complete = true;
  return request;
}

describe('readBytes', () => {
  it('returns the body, within its limit', async () => {
    expect((await readBytes(requestOf('ab', 'cd'), 4, 'owner')).toString()).toBe('abcd');
    await expect(readBytes(requestOf('ab', 'cd'), 3, 'owner')).rejects.toThrow(PayloadTooLarge);
  });

  it('rejects for a client that is gone before the body is read', async () => {
    const request = requestOf('ab');
    request.destroy();
    await expect(readBytes(request, 4, 'owner')).rejects.toThrow('The body is incomplete');
  });
});
