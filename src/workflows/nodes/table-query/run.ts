import type { NodeRun } from '../../engine/node-run.js';
import { callApi, writesAnswer } from '../resources/call-api.js';
import { advancedQuery } from '../resources/find.js';
import * as setting from '../settings.js';

const settings = setting.group({
  dataTableIdTemplate: setting.requiredTemplate,
  queryTemplate: setting.optional(advancedQuery),
  limitTemplate: setting.template,
  offsetTemplate: setting.template,
  sortColumnTemplate: setting.template,
  sortDirectionTemplate: setting.template,
  includeFieldsTemplate: setting.template,
  resultPath: setting.required(setting.target),
});

type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: writesAnswer((config, path) => {
    const { data } = path.payload;
    const parameters = {
      dataTableId: config.dataTableIdTemplate(data),
      limit: config.limitTemplate(data) || 1000,
      offset: config.offsetTemplate(data),
      sortColumn: config.sortColumnTemplate(data),
      sortDirection: config.sortDirectionTemplate(data),
      includeFields: namesOf(config.includeFieldsTemplate(data)),
    };
    return callApi(path, 'dataTableRows.query', parameters, config.queryTemplate?.(data) ?? {});
  }),
};

/** Returns the names of a JSON list separated by commas; other texts already are. */
function namesOf(text: string): string {
  if (!text.trim().startsWith('[')) return text;
  try {
    return (JSON.parse(text) as unknown[]).join(',');
  } catch {
    return text;
  }
}
