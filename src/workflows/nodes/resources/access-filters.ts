import type { Compiled } from '../../language/compile.js';
import * as setting from '../settings.js';
import { renderedPairs, tagPairs } from './tag-pairs.js';
import { filled } from './write-mode.js';

const MAX_ITEMS = 1_000;

/** List of templates. Older nodes have the template of a JSON list instead. */
const templates: setting.Setting<Compiled<unknown>> = (raw, at) => {
  if (typeof raw === 'string' && raw !== '') return setting.json(raw, at);
  const items = setting.list(setting.template, MAX_ITEMS)(raw, at);
  return (payload) => unlessEmpty(items.map((item) => item(payload)).filter((item) => item !== ''));
};

/** Tags of which a device has any. Older nodes have the template of a JSON list instead. */
const deviceTags: setting.Setting<Compiled<unknown>> = (raw, at) => {
  if (typeof raw === 'string' && raw !== '') return setting.json(raw, at);
  const pairs = tagPairs(raw, at);
  return (payload) => unlessEmpty(renderedPairs(pairs, payload).map((pair) => filled({ ...pair })));
};

const unlessEmpty = (items: unknown[]): unknown[] | undefined => (items.length > 0 ? items : undefined);

/** Settings of access keys and device certificates: who can use them, from where, and for which topics. */
export const accessFilters = setting.group({
  descriptionTemplate: setting.template,
  addressFilterTypeTemplate: setting.template,
  addressesTemplate: templates,
  filterTypeTemplate: setting.template,
  pubTopicsTemplate: templates,
  subTopicsTemplate: templates,
  deviceIdsTemplate: templates,
  deviceTagsTemplate: deviceTags,
});

export type AccessFilters = setting.Read<typeof accessFilters>;

/** Returns the members that are not blank, as bodies of the API have them. */
export const accessFiltersIn = (config: AccessFilters, payload: unknown): Record<string, unknown> =>
  filled({
    description: config.descriptionTemplate(payload),
    addressFilterType: config.addressFilterTypeTemplate(payload),
    addresses: config.addressesTemplate(payload),
    filterType: config.filterTypeTemplate(payload),
    pubTopics: config.pubTopicsTemplate(payload),
    subTopics: config.subTopicsTemplate(payload),
    deviceIds: config.deviceIdsTemplate(payload),
    deviceTags: config.deviceTagsTemplate(payload),
  });
