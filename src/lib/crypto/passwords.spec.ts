import { jest } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { Unavailable } from '../errors/errors.js';
import { hashPassword, verifyPassword } from './passwords.js';

const verify = jest.spyOn(argon2, 'verify');

const PASSWORD = 'Correct horse 1 battery!';

describe('hashPassword', () => {
  it('uses argon2id with the OWASP profile', async () => {
    expect(await hashPassword(PASSWORD)).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
    );
  });

  it('never returns the same hash twice', async () => {
    expect(await hashPassword(PASSWORD)).not.toBe(await hashPassword(PASSWORD));
  });
});

describe('verifyPassword', () => {
  it('distinguishes the password from any other', async () => {
    const stored = await hashPassword(PASSWORD);
    await expect(verifyPassword(stored, PASSWORD)).resolves.toBe(true);
    await expect(verifyPassword(stored, `${PASSWORD} `)).resolves.toBe(false);
    await expect(verifyPassword(stored, '')).resolves.toBe(false);
  });

  it('compares passwords in full length', async () => {
    const stored = await hashPassword('x'.repeat(2048));
    await expect(verifyPassword(stored, `${'x'.repeat(2047)}y`)).resolves.toBe(false);
  });

  it('rejects every password of an account without one', async () => {
    await expect(verifyPassword(undefined, PASSWORD)).resolves.toBe(false);
    await expect(verifyPassword(undefined, '')).resolves.toBe(false);
  });

  it('takes the same time for an account without a password', async () => {
    const stored = await hashPassword(PASSWORD);
    verify.mockClear();
    await verifyPassword(undefined, PASSWORD);
    const compared = verify.mock.calls[0]![0];
    expect(argon2.parseOptions(compared)).toEqual(argon2.parseOptions(stored));
  });

  it('rejects sign-ins beyond the queue', async () => {
    verify.mockImplementation(async () => true);
    const sent = availableParallelism() + 64 + 10;
    const results = await Promise.allSettled(
      Array.from({ length: sent }, () => verifyPassword('hash', PASSWORD)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(10);
    expect(refused.every(({ reason }) => reason instanceof Unavailable)).toBe(true);
    await expect(verifyPassword('hash', PASSWORD)).resolves.toBe(true);
  });
});
