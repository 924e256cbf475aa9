import { samlRequestUrl } from '../../../lib/saml/assertions.js';
import type { NodeRun } from '../../engine/node-run.js';
import { partiesOf, samlError, samlParties } from '../saml.js';
import * as setting from '../settings.js';

const settings = setting.all(samlParties, setting.group({ resultPath: setting.target }));

export const run: NodeRun<setting.Read<typeof settings>> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload, effectId } = path;
    const texts = config.texts(payload.data);
    try {
      const { provider, service } = partiesOf(texts);
      // An XML ID must not begin with a digit.
      const redirectUrl = await samlRequestUrl(provider, service, `_${effectId}`, '');
      config.resultPath(payload, { redirectUrl });
    } catch (error) {
      config.resultPath(payload, samlError(error));
    }
    return undefined;
  },
};
