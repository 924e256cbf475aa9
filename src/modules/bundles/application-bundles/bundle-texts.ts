import { yamlItem } from '../../../platform/bundles/bundle-yaml.js';
import type { WorkOrder } from '../../../lib/processes/work-queue.js';
import type { BundleWork } from '../../../platform/bundles/bundle-work.js';
import { mapTexts, Placeholders } from '../../../platform/bundles/placeholders.js';

/** Length up to which texts and resources are written by this process, which takes a few milliseconds. */
const MAX_OWN_LENGTH = 32 * 1024;

/** Writes texts and resources of a bundle with placeholders; large ones in another process. */
export class BundleTexts {
  readonly placeholders: Placeholders;

  /** `replaceAddresses` replaces addresses of the platform by their placeholders. */
  constructor(
    private readonly work: BundleWork,
    private readonly order: WorkOrder,
    replaceAddresses: (text: string) => string,
  ) {
    this.placeholders = new Placeholders(replaceAddresses);
  }

  /** Returns a text with placeholders. `at` is the path of its file. */
  async text(text: string, at: string): Promise<string> {
    const known = this.placeholders.replaceIds(text);
    const { texts } = this.placeholders;
    if (text.length <= MAX_OWN_LENGTH || texts.size === 0) return texts.replaceIn(known);
    return this.work.replaceTexts({ text: known, placeholders: texts.entries }, at, this.order);
  }

  /** Returns a resource as an item of the file `at`, indented by `indent`. */
  async item(resource: object, at: string, indent = 2): Promise<string> {
    const known = mapTexts(resource, (text) => this.placeholders.replaceIds(text)) as object;
    const text = JSON.stringify(known);
    const { texts } = this.placeholders;
    if (text.length > MAX_OWN_LENGTH)
      return this.work.writeYaml({ text, placeholders: texts.entries, indent }, at, this.order);
    return yamlItem(mapTexts(known, (each) => texts.replaceIn(each)) as object, indent);
  }
}
