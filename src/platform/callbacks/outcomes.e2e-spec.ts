import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mailsTo } from '../../../test/doubles/mails.js';
import { importsOf } from '../../../test/make/bundle-imports.js';
import { waitForOutcome } from '../../../test/make/exports.js';
import { uniqueName } from '../../../test/make/make.js';
import { suite } from '../../../test/setup/suite.js';
import { newId } from '../repositories/resource.js';
import type { JobContext } from '../jobs/on-job.js';
import { Outcomes } from './outcomes.js';

const { test, user, application } = suite();
const TO_ADDRESS = 100;
const OF_OWNER = 200;

const address = () => `${uniqueName().toLowerCase()}@example.com`;

/** Ends jobs for these recipients one after the other, and returns what each reported as its progress. */
async function end(ownerId: string | undefined, recipients: readonly string[]): Promise<object[]> {
  const reported: object[] = [];
  for (const email of recipients) {
    const job = {
      id: newId(),
      progress: async (progress: object) => void reported.push(progress),
    } as unknown as JobContext;
    const task = { type: 'device.export', title: 'An export', applicationId: application.id };
    const outcome = async () => ({ data: {}, text: 'Done.', output: { written: 1 } });
    const listeners = { email, ownerId };
    expect(await test.app.get(Outcomes).runAndNotify({ ...task, listeners }, job, outcome)).toEqual({
      written: 1,
    });
  }
  return reported;
}

const times = (count: number, recipient: () => string) => Array.from({ length: count }, recipient);

describe('Emails about jobs', () => {
  const status = 'The email was not sent, because too many were sent in the last hour';

  it('are not sent to an address beyond its limit, whoever requested them', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const email = address();
    expect(
      await end(
        newId(),
        times(TO_ADDRESS / 2, () => email),
      ),
    ).toEqual([]);
    expect(
      await end(
        undefined,
        times(TO_ADDRESS / 2, () => email.toUpperCase()),
      ),
    ).toEqual([]);
    expect(await end(newId(), [email, email])).toEqual([{ status }, { status }]);
    expect(warn.mock.calls.flat().join()).toContain('(device.export): The email was not sent');
    expect(warn.mock.calls.flat().join()).not.toContain(email);
    expect(await mailsTo(test, email)).toHaveLength(TO_ADDRESS / 2);
    warn.mockRestore();
  });

  it('are not sent for an owner beyond the limit, which leaves the limit of the address', async () => {
    const ownerId = newId();
    const email = address();
    expect(await end(ownerId, times(OF_OWNER, address))).toEqual([]);
    expect(
      await end(
        ownerId,
        times(TO_ADDRESS, () => email),
      ),
    ).toHaveLength(TO_ADDRESS);
    expect(await mailsTo(test, email)).toEqual([]);
    expect(await end(newId(), [email])).toEqual([]);
    expect(await mailsTo(test, email)).toHaveLength(1);
  });

  it('do not fail the job that could not send one, and the log of the job says so', async () => {
    const email = address();
    await end(
      undefined,
      times(TO_ADDRESS, () => email),
    );
    const imports = importsOf(test, user);
    const path = `/applications/${application.id}/import`;
    const { body } = await imports.send(path, { email, options: { forceJob: true } }, Buffer.from('no zip'));
    const job = await waitForOutcome(test, body.jobId);
    expect(job).toMatchObject({ status: 'errored', progress: { status } });
    const { body: logs } = await test.client.get(`/applications/${application.id}/jobLogs`, {
      token: user.token,
    });
    expect(logs.items).toMatchObject([{ input: { emails: [email] }, progress: { status } }]);
    expect(await mailsTo(test, email)).toHaveLength(TO_ADDRESS);
  });

  it('count for the owner of the caller', async () => {
    const [email, other] = [address(), address()];
    await end(user.id, times(OF_OWNER, address));
    const imports = importsOf(test, user);
    const path = `/applications/${application.id}/import`;
    const asked = async (to: string) =>
      waitForOutcome(
        test,
        (await imports.send(path, { email: to, options: { forceJob: true } }, Buffer.from('no zip'))).body
          .jobId,
      );
    await asked(email);
    await asked(other);
    expect([...(await mailsTo(test, email)), ...(await mailsTo(test, other))]).toEqual([]);
  });
});
