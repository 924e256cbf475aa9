import { isObject } from '../../../lib/json/json.js';
import type { NodeRun, RunPath } from '../../engine/node-run.js';
import type { ApiResult } from '../../engine/ports.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
import {
  attributesIn,
  deviceFields,
  plainFields,
  replacedAttributes,
  replacedTags,
  type RenderedAttribute,
} from '../resources/device-fields.js';
import { keyedPairs, type TagPair } from '../resources/tag-pairs.js';
import { filled, writeMode } from '../resources/write-mode.js';
import * as setting from '../settings.js';

const settings = setting.all(
  deviceFields,
  writeMode('deviceJsonTemplate', 'devicePayloadPath'),
  setting.group({
    recipeIdTemplate: setting.template,
    systemIntervalTemplate: setting.number(),
    keepDuplicatesTemplate: setting.template,
    resultPath: setting.target,
  }),
);

type Settings = setting.Read<typeof settings>;

/** A device recipe, as far as it contains defaults of devices. */
interface Recipe {
  readonly deviceName?: string;
  readonly deviceDescription?: string;
  readonly tags: readonly TagPair[];
  readonly attributes: readonly RenderedAttribute[];
  readonly deviceClass?: string;
  readonly gatewayId?: string;
  readonly parentId?: string;
  readonly systemInterval?: number;
  readonly keepDuplicates?: boolean;
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer(createDevice),
};

async function createDevice(config: Settings, path: RunPath): Promise<ApiResult> {
  const { data } = path.payload;
  const { tagsAsObject, attributesAsObject } = config;
  const deviceRecipeId = config.recipeIdTemplate(data);
  const recipe =
    deviceRecipeId === '' ? undefined : await callApi(path, 'deviceRecipe.get', { deviceRecipeId });
  if (recipe && 'error' in recipe) return recipe;
  const device = deviceOf(config, data, recipe?.result as Recipe | undefined);
  return callApi(path, 'devices.post', { tagsAsObject, attributesAsObject }, device);
}

/** Returns the device to create: what the node sets, or else what the recipe does. */
function deviceOf(config: Settings, data: unknown, recipe: Recipe | undefined): unknown {
  if (config.document) {
    const given = config.document(data);
    return recipe && isObject(given) ? { ...defaultsOf(recipe), ...given } : given;
  }
  const interval = config.systemIntervalTemplate(data);
  const keepDuplicates = config.keepDuplicatesTemplate(data);
  return {
    ...(recipe && defaultsOf(recipe)),
    ...plainFields(config, data),
    ...(!Number.isNaN(interval) && { systemInterval: interval }),
    ...(keepDuplicates !== '' && { keepDuplicates: keepDuplicates === 'true' }),
    tags: replacedTags(recipe?.tags ?? [], keyedPairs(config.deviceTags, data)),
    attributes: replacedAttributes(recipe?.attributes ?? [], attributesIn(config, data)),
  };
}

function defaultsOf(recipe: Recipe): Record<string, unknown> {
  const { deviceName, deviceDescription, tags, attributes, deviceClass, gatewayId, parentId } = recipe;
  const { systemInterval, keepDuplicates } = recipe;
  return filled({
    name: deviceName,
    description: deviceDescription,
    tags,
    attributes,
    deviceClass,
    gatewayId,
    parentId,
    systemInterval,
    keepDuplicates,
  });
}
