import { jest } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { TooManyRequests, Unavailable } from '../errors/errors.js';
import { accountPasswords, experiencePasswords } from './passwords.js';

const verify = jest.spyOn(argon2, 'verify');

const PASSWORD = 'Correct horse 1 battery!';
const OWNER = '192.0.2.7';

const hash = (plain: string) => accountPasswords.hash(OWNER, plain);
const matches = (stored: string | undefined, plain: string) => accountPasswords.matches(OWNER, stored, plain);

describe('The hash of a password', () => {
  it('uses argon2id with the OWASP profile', async () => {
    expect(await hash(PASSWORD)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  it('never returns the same hash twice', async () => {
    expect(await hash(PASSWORD)).not.toBe(await hash(PASSWORD));
  });
});

describe('A password', () => {
  it('distinguishes the password from any other', async () => {
    const stored = await hash(PASSWORD);
    await expect(matches(stored, PASSWORD)).resolves.toBe(true);
    await expect(matches(stored, `${PASSWORD} `)).resolves.toBe(false);
    await expect(matches(stored, '')).resolves.toBe(false);
  });

  it('compares passwords in full length', async () => {
    const stored = await hash('x'.repeat(2048));
    await expect(matches(stored, `${'x'.repeat(2047)}y`)).resolves.toBe(false);
  });

  it('rejects every password of an account without one', async () => {
    await expect(matches(undefined, PASSWORD)).resolves.toBe(false);
    await expect(matches(undefined, '')).resolves.toBe(false);
  });

  it('takes the same time for an account without a password', async () => {
    const stored = await hash(PASSWORD);
    verify.mockClear();
    await matches(undefined, PASSWORD);
    const compared = verify.mock.calls[0]![0];
    expect(argon2.parseOptions(compared)).toEqual(argon2.parseOptions(stored));
  });

  it.each([
    { of: 'one owner', owners: 1, waiting: 32, Refusal: TooManyRequests },
    { of: 'all owners', owners: 1_000, waiting: 128, Refusal: Unavailable },
  ])('is rejected beyond the queue of $of', async ({ owners, waiting, Refusal }) => {
    verify.mockImplementation(async () => true);
    const results = await Promise.allSettled(
      Array.from({ length: availableParallelism() + waiting + 10 }, (_, i) =>
        accountPasswords.matches(`owner ${i % owners}`, 'hash', PASSWORD),
      ),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(10);
    expect(refused.every(({ reason }) => reason instanceof Refusal)).toBe(true);
    await expect(matches('hash', PASSWORD)).resolves.toBe(true);
  });

  it('of an account is verified while passwords of experience users are waiting', async () => {
    let release!: (matches: boolean) => void;
    const held = new Promise<boolean>((resolve) => (release = resolve));
    verify.mockImplementation((stored) => (stored === 'held' ? held : Promise.resolve(true)));
    const waiting = Array.from({ length: 30 }, () => experiencePasswords.matches('tenant', 'held', PASSWORD));
    await expect(matches('hash', PASSWORD)).resolves.toBe(true);
    release(true);
    await Promise.all(waiting);
  });
});
