import { AnswerReader } from './answer-reader.js';

const answer = (body: string, head = `Content-Length: ${Buffer.byteLength(body)}`) =>
  Buffer.from(`HTTP/1.1 201 Created\r\nX-Request-Id: 1\r\n${head}\r\nDate: now\r\n\r\n${body}`);

describe('AnswerReader', () => {
  it('returns the response status once the last byte arrives, wherever the response is split', () => {
    const bytes = answer('{"name":"Pümpe"}', 'content-length: 17');
    const reader = new AnswerReader();
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(reader.read(bytes.subarray(0, cut))).toBeUndefined();
      expect(reader.read(bytes.subarray(cut))).toBe(201);
    }
  });

  it('reads consecutive responses that arrive byte by byte in the same buffer', () => {
    const reader = new AnswerReader();
    const memory = Buffer.alloc(1);
    for (const body of ['{}', '']) {
      const bytes = answer(body);
      const statuses = [...bytes].map((byte) =>
        reader.read(Buffer.from(memory.fill(byte).buffer, memory.byteOffset, 1)),
      );
      expect(statuses.filter((status) => status !== undefined)).toEqual([201]);
      expect(statuses.at(-1)).toBe(201);
    }
  });

  it('treats a response without content as having no length', () => {
    expect(new AnswerReader().read(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'))).toBe(204);
  });

  it('rejects a response without a length and a response longer than its length', () => {
    expect(() => new AnswerReader().read(answer('{}', 'Transfer-Encoding: chunked'))).toThrow(
      /does not tell the length/,
    );
    expect(() => new AnswerReader().read(answer('{} and more', 'content-length: 2'))).toThrow(
      /more than it told/,
    );
  });
});
