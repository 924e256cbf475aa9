import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import * as setting from '../settings.js';
import { constantIdType, ID_TYPES } from './config.js';
import { MAKERS } from './ids.js';

/** Length of a `nanoid` that does not name one. */
const USUAL_LENGTH = 21;

const settings = setting.group({
  idTypeTemplate: setting.template,
  namespaceTemplate: setting.requiredTemplate,
  valueTemplate: setting.requiredTemplate,
  numCharactersTemplate: setting.number(USUAL_LENGTH),
  destinationPath: setting.required(setting.target),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ idTypeTemplate, namespaceTemplate, valueTemplate, numCharactersTemplate, destinationPath }) =>
    ({ payload }) => {
      const { data } = payload;
      const type = constantIdType(idTypeTemplate(data));
      if (!type) throw invalidSetting('idTypeTemplate', `must be one of ${ID_TYPES.join(', ')}`);
      const id = MAKERS[type]({
        namespace: () => namespaceTemplate(data),
        name: () => valueTemplate(data),
        length: () => numCharactersTemplate(data),
      });
      destinationPath(payload, id);
      return undefined;
    },
};
