import type { DataSource } from 'typeorm';
import { PASSWORD, uniqueName } from '../../test/make/make.js';
import { InstanceMember } from '../modules/accounts/instance-members/instance-member.resource.js';
import { User } from '../modules/accounts/users/user.entity.js';
import { listInstances } from './instances.js';
import { unfolded } from '../../test/make/folding.js';
import { suite } from '../../test/setup/suite.js';
import { canonicalEmail, choosePassword, createUser, personName, setPassword } from './users.js';

const NEW_PASSWORD = 'Horse-Correct-8';

const { test } = suite();
let dataSource: DataSource;

beforeAll(() => {
  ({ dataSource } = test);
});

const address = () => `${uniqueName('user')}@example.com`;
/** Test cases with a name that is short enough to read. */
const named = (texts: string[]) => texts.map((text) => [text.slice(0, 20), text] as const);
const signIn = (email: string, password: string) => test.client.post('/auth/user', { email, password });

describe('users', () => {
  it('creates a verified user who can sign in', async () => {
    const email = address();
    const userId = await createUser(dataSource, {
      email,
      password: PASSWORD,
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
    const { status, body } = await signIn(email, PASSWORD);
    expect({ status, userId: body.userId }).toEqual({ status: 200, userId });
    const me = await test.client.get('/me', { token: body.token });
    expect(me.body).toMatchObject({
      email,
      emailVerified: true,
      needsToVerifyEmail: false,
      fullName: 'Ada Lovelace',
    });
    expect(await dataSource.manager.existsBy(InstanceMember, { userId })).toBe(false);
  });

  it('creates an administrator of the instance', async () => {
    const email = address();
    const userId = await createUser(dataSource, { email, password: PASSWORD, instanceAdmin: true });
    const instances = await listInstances(dataSource);
    const memberships = await dataSource.manager.findBy(InstanceMember, { userId });
    expect(memberships.map(({ role }) => role)).toEqual(instances.map(() => 'admin'));
    const [instance] = instances;
    expect(instance).toMatchObject({ name: 'Fieldwright', admins: expect.arrayContaining([email]) });
  });

  it('rejects an address that is in use and leaves the existing user unchanged', async () => {
    const email = address();
    await createUser(dataSource, { email, password: PASSWORD });
    await expect(createUser(dataSource, { email, password: NEW_PASSWORD })).rejects.toThrow(
      `The user ${email} already exists.`,
    );
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  it('creates nothing if a step fails', async () => {
    const email = address();
    await dataSource.query('ALTER TABLE instance_members RENAME TO elsewhere');
    try {
      await expect(
        createUser(dataSource, { email, password: PASSWORD, instanceAdmin: true }),
      ).rejects.toThrow('instance_members');
    } finally {
      await dataSource.query('ALTER TABLE elsewhere RENAME TO instance_members');
    }
    expect(await dataSource.manager.existsBy(User, { email })).toBe(false);
  });

  it('sets a password and revokes existing session tokens', async () => {
    const email = address();
    await createUser(dataSource, { email, password: PASSWORD });
    const before = await signIn(email, PASSWORD);
    await setPassword(dataSource, email, NEW_PASSWORD);
    expect((await test.client.get('/me', { token: before.body.token })).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const after = await signIn(email, NEW_PASSWORD);
    expect((await test.client.get('/me', { token: after.body.token })).status).toBe(200);
  });

  it('sets no password for an unknown user', async () => {
    const email = address();
    await expect(setPassword(dataSource, email, PASSWORD)).rejects.toThrow(
      `The user ${email} does not exist.`,
    );
  });

  it.each(
    named([
      'ada',
      'ada@',
      '@example.com',
      'ada@localhost',
      'a da@example.com',
      '',
      `${'a'.repeat(1024)}@example.com`,
      ...unfolded('ski-risk@example.com'),
    ]),
  )('rejects the address "%s"', (_name, text) =>
    expect(() => canonicalEmail(text)).toThrow('is not an email address.'),
  );

  it('matches an address regardless of case', () => {
    expect(canonicalEmail('Ada.Lovelace@Example.COM')).toBe('ada.lovelace@example.com');
  });

  it.each(
    named([
      'Short-1',
      'no-upper-case-1',
      'NO-LOWER-CASE-1',
      'No-Digit-At-All',
      'NoSymbolAtAll1',
      '',
      `${'Aa1-'.repeat(512)}x`,
    ]),
  )('rejects the password "%s"', (_name, text) =>
    expect(() => choosePassword(text)).toThrow('The password must have 12 characters or more'),
  );

  it('generates a different valid password each time', () => {
    const made = choosePassword(undefined);
    expect(made.isGenerated).toBe(true);
    expect(choosePassword(made.text)).toEqual({ text: made.text, isGenerated: false });
    expect(choosePassword(undefined).text).not.toBe(made.text);
  });

  it('rejects a name that the API would reject', () => {
    expect(() => personName('')).toThrow('A name must have 1 to 1024 characters.');
    expect(() => personName('x'.repeat(1025))).toThrow('A name must have');
    expect(personName('Ada')).toBe('Ada');
    expect(personName(undefined)).toBeUndefined();
  });
});
