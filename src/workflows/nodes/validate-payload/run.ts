import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';
import { faultsOf } from './schemas.js';

const settings = setting.all(
  setting.variant(
    'schemaType',
    {
      json: setting.group({ schema: setting.required(setting.json) }),
      path: setting.group({ schema: setting.required(setting.path) }),
    },
    'json',
  ),
  setting.group({ toValidatePath: setting.optional(setting.path), errorsPath: setting.target }),
);

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ schema, toValidatePath, errorsPath }) =>
    ({ payload }) => {
      const value = toValidatePath ? toValidatePath(payload.data) : payload.data;
      const faults = faultsOf(schema(payload.data), value);
      errorsPath(payload, faults);
      return faults.length === 0 ? 1 : 0;
    },
};
