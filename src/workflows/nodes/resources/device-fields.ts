import * as setting from '../settings.js';
import { tagPairs, type TagPair } from './tag-pairs.js';
import { filled } from './write-mode.js';

const MAX_ATTRIBUTES = 256;

/** Individual fields of a device. */
export const deviceFields = setting.group({
  nameTemplate: setting.template,
  descriptionTemplate: setting.template,
  deviceClassTemplate: setting.template,
  gatewayIdTemplate: setting.template,
  parentIdTemplate: setting.template,
  deviceTags: tagPairs,
  deviceAttributes: setting.list(
    setting.group({
      nameTemplate: setting.template,
      dataTypeTemplate: setting.template,
      contentTypeTemplate: setting.template,
    }),
    MAX_ATTRIBUTES,
  ),
  tagsAsObject: setting.flag(),
  attributesAsObject: setting.flag(),
});

export type DeviceFields = setting.Read<typeof deviceFields>;

/** An attribute; one without a data type is removed. */
export interface RenderedAttribute {
  readonly name: string;
  readonly dataType?: string;
  readonly contentType?: string;
}

/** Members of a device that are not blank, besides tags and attributes. */
export const plainFields = (config: DeviceFields, payload: unknown): Record<string, unknown> =>
  filled({
    name: config.nameTemplate(payload),
    description: config.descriptionTemplate(payload),
    deviceClass: config.deviceClassTemplate(payload),
    gatewayId: config.gatewayIdTemplate(payload),
    parentId: config.parentIdTemplate(payload),
  });

/** Attributes of the node that have a name. */
export const attributesIn = ({ deviceAttributes }: DeviceFields, payload: unknown): RenderedAttribute[] =>
  deviceAttributes
    .map(({ nameTemplate, dataTypeTemplate, contentTypeTemplate }) => ({
      name: nameTemplate(payload),
      ...filled({ dataType: dataTypeTemplate(payload), contentType: contentTypeTemplate(payload) }),
    }))
    .filter(({ name }) => name !== '');

/** Replaces the tags whose keys are given; those without a value are removed. */
export function replacedTags(current: readonly TagPair[], given: readonly TagPair[]): TagPair[] {
  const changed = new Set(given.map(({ key }) => key));
  return [...current.filter(({ key }) => !changed.has(key)), ...given.filter(({ value }) => value !== '')];
}

/** Replaces the attributes whose names are given; those without a data type are removed. */
export function replacedAttributes(
  current: readonly RenderedAttribute[],
  given: readonly RenderedAttribute[],
): RenderedAttribute[] {
  const changed = new Set(given.map(({ name }) => name));
  return [
    ...current.filter(({ name }) => !changed.has(name)),
    ...given.filter(({ dataType }) => dataType !== undefined),
  ];
}
