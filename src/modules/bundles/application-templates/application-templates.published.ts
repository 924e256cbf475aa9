import { waitForOutcome } from '../../../../test/make/exports.js';
import { uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests the catalogue of templates. */
export function drive(published: Published): void {
  it('lists templates', async () => {
    const { api } = await published.signedIn();
    const { items: categories } = await api.applicationTemplates!.getCategories!({});
    const [{ id: categoryId }] = categories;
    expect((await api.applicationTemplates!.getCategories!({ baseId: categoryId })).items).toContainEqual(
      categories[0],
    );
    const { keywords } = await api.applicationTemplates!.getUniqueKeywords!({});
    const { items } = await api.applicationTemplates!.get!({ keywords: keywords.slice(0, 1) });
    expect(items.length).toBeGreaterThan(0);
    const { items: inCategory } = await api.applicationTemplates!.get!({ categoryId, filter: '*' });
    expect(inCategory.length).toBeGreaterThan(0);
    const [{ id: templateId }] = items;
    expect(await api.applicationTemplate!.get!({ templateId })).toEqual(items[0]);
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const applied = await api.application!.applyTemplate!({ applicationId, options: { templateId } });
    // On slow machines, a job finishes the work.
    if (applied.jobId) await waitForOutcome(published.test, applied.jobId);
    const { appliedTemplateIds } = await api.application!.get!({ applicationId });
    expect(appliedTemplateIds).toEqual([templateId]);
    const made = await api.applications!.post!({
      application: { name: uniqueName(), applicationTemplateId: templateId },
    });
    expect(made.appliedTemplateIds).toEqual([templateId]);
  });
}
