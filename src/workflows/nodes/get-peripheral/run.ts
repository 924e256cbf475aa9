import type { EdgeDevice } from '../../engine/edge-port.js';
import type { NodeRun } from '../../engine/node-run.js';
import { tagsByKey } from '../../engine/root-payload.js';
import { edgeOf } from '../edge/edge-of.js';
import { renderedPairs, tagPairs, type TagPair } from '../resources/tag-pairs.js';
import * as setting from '../settings.js';

const settings = setting.group({
  findMethod: setting.word('id', 'name', 'findByAllTags', 'findByAnyTags'),
  idTemplate: setting.requiredTemplate,
  tags: tagPairs,
  findMultiple: setting.flag(),
  sortField: setting.word('name', 'id'),
  sortDirection: setting.word('asc', 'desc'),
  tagsAsObject: setting.flag(true),
  attributesAsObject: setting.flag(),
  resultPath: setting.required(setting.target),
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => (path) => {
    const { payload } = path;
    const matches = matcherOf(config, payload.data);
    const found = [...edgeOf(path).peripherals].filter(matches).sort(orderOf(config));
    const shown = found
      .slice(0, config.findMultiple ? undefined : 1)
      .map((device) => shownDevice(device, config));
    config.resultPath(payload, config.findMultiple ? shown : (shown[0] ?? null));
    return undefined;
  },
};

function matcherOf(config: Settings, data: unknown): (device: EdgeDevice) => boolean {
  switch (config.findMethod) {
    case 'id': {
      const id = config.idTemplate(data).toLowerCase();
      return (device) => device.id === id;
    }
    case 'name': {
      const name = config.idTemplate(data);
      return (device) => device.name === name;
    }
    case 'findByAllTags':
    case 'findByAnyTags': {
      const pairs = renderedPairs(config.tags, data);
      const isAny = config.findMethod === 'findByAnyTags';
      return ({ tags }) =>
        isAny ? pairs.some((pair) => hasTag(tags, pair)) : pairs.every((pair) => hasTag(tags, pair));
    }
  }
}

/** A blank key or value matches any. */
const hasTag = (tags: EdgeDevice['tags'], { key, value }: TagPair): boolean =>
  tags.some((tag) => (key === '' || tag.key === key) && (value === '' || tag.value === value));

function orderOf({ sortField, sortDirection }: Settings): (a: EdgeDevice, b: EdgeDevice) => number {
  const sign = sortDirection === 'asc' ? 1 : -1;
  return (a, b) => sign * (compared(a[sortField], b[sortField]) || compared(a.id, b.id));
}

const compared = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function shownDevice(device: EdgeDevice, { tagsAsObject, attributesAsObject }: Settings): object {
  const { tags, attributes } = device;
  return {
    ...device,
    tags: tagsAsObject ? tagsByKey(tags) : tags,
    attributes: attributesAsObject
      ? Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute]))
      : attributes,
  };
}
