import { waitForOutcome } from '../../../../test/make/exports.js';
import { makeApplication, makeMember, makeOrg } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user } = suite();

const apply = (applicationId: string, body: object, token = user.token) =>
  test.client.patch(`/applications/${applicationId}/applyTemplate`, body, { token });
/** Applies a template. Waits for the job if there is one, which can happen on a slow machine. */
async function applied(applicationId: string, body: object, token = user.token): Promise<number> {
  const answer = await apply(applicationId, body, token);
  if (answer.status !== 202) return answer.status;
  expect((await waitForOutcome(test, answer.body.jobId)).status).toBe('completed');
  return 200;
}
const templates = async (): Promise<{ id: string; name: string; summary: Record<string, number> }[]> =>
  (await test.client.get('/applicationTemplates', { token: user.token })).body.items;

describe('applying a template', () => {
  it('adds everything listed in the summary of a built-in template', async () => {
    for (const { id, name, summary } of await templates()) {
      const application = await makeApplication(test, user.token);
      const status = await applied(application.id, { templateId: id });
      expect({ name, status }).toEqual({ name, status: 200 });
      const counts = ['deviceCount', 'deviceRecipeCount', 'flowCount', 'webhookCount', 'dataTableCount'];
      const path = `/applications/${application.id}?summaryInclude=${counts.join(',')}`;
      const { body: whole } = await test.client.get(path, { token: user.token });
      const held = counts.map((count) => [count, summary[count]]);
      expect(whole).toMatchObject({ name: application.name, appliedTemplateIds: [id] });
      expect({ name, summary: whole.summary }).toEqual({ name, summary: Object.fromEntries(held) });
    }
  });

  it('rejects an unknown template and callers without the role edit', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    expect((await apply(id, { templateId: newId() })).body).toEqual({
      type: 'NotFound',
      message: 'Template was not found',
    });
    expect((await apply(id, {})).body.message).toBe('applicationApplyTemplate.templateId is required');
    const [template] = await templates();
    const { token } = await makeMember(test, org.id, 'collaborate');
    expect((await apply(id, { templateId: template!.id }, token)).status).toBe(403);
    const { token: editor } = await makeMember(test, org.id, 'edit');
    expect(await applied(id, { templateId: template!.id }, editor)).toBe(200);
  });
});
