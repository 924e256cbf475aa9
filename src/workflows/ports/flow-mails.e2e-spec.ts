import { mailsTo } from '../../../test/doubles/mails.js';
import { suite } from '../../../test/setup/suite.js';
import { newId } from '../../platform/repositories/resource.js';
import { FlowMails } from './flow-mails.js';

const { test, application } = suite();

const HTML = '<style>p { color: red }</style><h1>Alarm</h1>\n<p>Pump &amp; valve</p><script>x()</script>';

/** Returns a function that sends mails of a new workflow, each as another effect. */
function sender() {
  const actor = { id: newId(), applicationId: application.id, flowId: newId() };
  return (to: readonly string[], effectId = newId()) =>
    test.app.get(FlowMails, { strict: false }).send(actor, effectId, { to, subject: 'Alarm', html: HTML });
}
const address = () => `${newId()}@example.com`;

describe('The mails of a workflow', () => {
  it('are sent to each recipient separately, as HTML and as text', async () => {
    const [first, second] = [address(), address()];
    await sender()([first, ` ${second} `, first]);
    for (const to of [first, second])
      expect(await mailsTo(test, to)).toEqual([
        expect.objectContaining({ to, subject: 'Alarm', html: HTML, text: 'Alarm\nPump & valve' }),
      ]);
  });

  it('are sent once, also by a repeated run', async () => {
    const [send, to, effect] = [sender(), address(), newId()];
    await send([to], effect);
    await send([to], effect);
    expect(await mailsTo(test, to)).toHaveLength(1);
  });

  it('are limited to ten in ten minutes, for each workflow', async () => {
    const [send, other, to] = [sender(), sender(), address()];
    for (let i = 0; i < 10; i++) await send([to]);
    await expect(send([to])).rejects.toMatchObject({
      name: 'TooManyRequests',
      message: 'A workflow can send 10 mails in 10 minutes',
    });
    await other([to]);
    expect(await mailsTo(test, to)).toHaveLength(11);
  });

  it('have one to five valid recipients, and others count for no limit', async () => {
    const [send, to] = [sender(), address()];
    const six = Array.from({ length: 6 }, address);
    for (let i = 0; i < 10; i++) await expect(send(six)).rejects.toMatchObject({ name: 'ValidationError' });
    await expect(send([])).rejects.toMatchObject({ message: 'to must have a recipient' });
    await expect(send(['nobody, other@example.com'])).rejects.toMatchObject({ name: 'Validation' });
    await send([to, ...six.slice(2)]);
    expect(await mailsTo(test, to)).toHaveLength(1);
    expect(await mailsTo(test, six[0]!)).toEqual([]);
  });
});
