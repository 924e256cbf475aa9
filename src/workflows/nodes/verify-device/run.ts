import type { NodeRun } from '../../engine/node-run.js';
import { isId } from '../../graph/graph.js';
import { callApi, resultOrFault } from '../resources/call-api.js';
import * as setting from '../settings.js';

/** Uses the default if a member is absent, but not if it is blank. */
const absentAs =
  (otherwise: string): typeof setting.requiredTemplate =>
  (raw, at) =>
    setting.requiredTemplate(raw ?? otherwise, at);

const settings = setting.group({
  deviceIdTemplate: setting.requiredTemplate,
  idTemplate: absentAs('{{experience.user.id}}'),
  idTypeTemplate: absentAs('experienceUser'),
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare:
    ({ deviceIdTemplate, idTemplate, idTypeTemplate }) =>
    async (path) => {
      const { data } = path.payload;
      const deviceId = deviceIdTemplate(data);
      const id = idTemplate(data);
      const property = idTypeTemplate(data) === 'experienceGroup' ? 'experienceGroupId' : 'experienceUserId';
      if (!isId(deviceId) || !isId(id)) return 0;
      const query = { $and: [{ id: { $eq: deviceId } }, { [property]: { $eq: id } }] };
      const parameters = { query, perPage: 1, excludeConnectionInfo: true };
      const { count } = resultOrFault(await callApi(path, 'devices.get', parameters)) as { count: number };
      return count > 0 ? 1 : 0;
    },
};
