import { decodeResult, encodePayload } from './payload-text.js';

describe('The text of a payload', () => {
  it('is limited by the JSON of the payload alone', () => {
    const payload = { time: new Date(0), text: 'é' };
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    expect(encodePayload(payload, bytes)).toBe(`[${JSON.stringify(payload)},[["time"]]]`);
    expect(encodePayload(payload, bytes - 1)).toBeUndefined();
  });

  it('is a list without a payload if it is undefined', () => {
    expect(encodePayload(undefined, 0)).toBe('[]');
    expect(decodeResult('')).toBeUndefined();
  });
});
