import type { Compiled } from '../../language/compile.js';
import { tagPairs } from './tag-pairs.js';
import * as setting from '../settings.js';
import { filled } from './write-mode.js';

/** Individual fields of an event that creation and update share. */
export const eventFields = setting.all(
  setting.group({
    levelTemplate: setting.template,
    subjectTemplate: setting.template,
    stateTemplate: setting.template,
    deviceIdTemplate: setting.template,
    eventTags: tagPairs,
  }),
  setting.variant(
    'dataSourceType',
    {
      payloadPath: setting.group({ dataSourcePath: setting.optional(setting.path) }),
      jsonTemplate: setting.group({ dataSourceJson: setting.optional(setting.json) }),
    },
    'payloadPath',
  ),
);

export type EventFields = setting.Read<typeof eventFields>;

/** Members of an event that are not blank, besides tags. */
export const plainEventFields = (config: EventFields, payload: unknown): Record<string, unknown> => {
  const source: Compiled<unknown> | undefined =
    config.dataSourceType === 'jsonTemplate' ? config.dataSourceJson : config.dataSourcePath;
  return filled({
    level: config.levelTemplate(payload),
    subject: config.subjectTemplate(payload),
    state: config.stateTemplate(payload),
    deviceId: config.deviceIdTemplate(payload),
    data: source?.(payload),
  });
};
