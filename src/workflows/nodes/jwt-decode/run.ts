import jwt from 'jsonwebtoken';
import type { NodeRun } from '../../engine/node-run.js';
import * as setting from '../settings.js';

const settings = setting.group({
  tokenTemplate: setting.requiredTemplate,
  complete: setting.flag(),
  destinationPath: setting.required(setting.target),
});

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare:
    ({ tokenTemplate, complete, destinationPath }) =>
    ({ payload }) => {
      destinationPath(payload, decoded(tokenTemplate(payload.data), complete));
      return undefined;
    },
};

const FAULT = { error: { type: 'JWTError', message: 'The token cannot be decoded' } };

function decoded(token: string, complete: boolean): unknown {
  try {
    return jwt.decode(token, { complete }) ?? FAULT;
  } catch {
    return FAULT;
  }
}
