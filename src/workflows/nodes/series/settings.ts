import type { RunPath } from '../../engine/node-run.js';
import { invalidSetting, RunFault } from '../../engine/run-error.js';
import type { Compiled } from '../../language/compile.js';
import * as setting from '../settings.js';
import { tagPairs } from '../resources/tag-pairs.js';
import { AGGREGATIONS, type Aggregation } from './aggregations.js';
import { selectedDevices, seriesDevices } from './devices.js';

const MAX_ATTRIBUTES = 100;

/** Names of attributes. Older nodes have a single text. */
const attributes: setting.Setting<readonly Compiled<string>[]> = (raw, at) =>
  setting.list(setting.template, MAX_ATTRIBUTES)(typeof raw === 'string' && raw !== '' ? [raw] : raw, at);

/** Settings of nodes that read values which devices have reported. */
export const seriesSettings = setting.all(
  seriesDevices,
  setting.group({
    attribute: attributes,
    aggregation: setting.template,
    aggregationOptions: tagPairs,
    duration: setting.number(0),
    end: setting.template,
    perDeviceResults: setting.flag(),
    resultPath: setting.required(setting.target),
    errorBehavior: setting.word('throw', 'payloadPath'),
    errorPath: setting.target,
  }),
);
export type SeriesSettings = setting.Read<typeof seriesSettings>;

/** What a node asks for. */
export interface Asked {
  /** Selection of devices, as bodies of the API have it. */
  readonly devices: object;
  /** Names of attributes. */
  readonly names: readonly string[];
  readonly type: Aggregation | undefined;
  /** Value of `TIMEATVALUE`. */
  readonly value: string | undefined;
  /** Milliseconds; 0 if the node has no time range. */
  readonly duration: number;
  /** Milliseconds since 1970; zero and negative values are relative to the current time. */
  readonly end: number;
}

/** Reads values, and writes them or, if the node wants that, the error. Writes `{}` if no device is selected. */
export async function writeSeries(
  config: SeriesSettings,
  path: RunPath,
  read: (asked: Asked) => Promise<unknown>,
): Promise<undefined> {
  const { payload } = path;
  const asked = askedOf(config, payload.data);
  try {
    const devices = await selectedDevices(config, path);
    config.resultPath(payload, devices ? await read({ ...asked, devices }) : {});
  } catch (error) {
    if (config.errorBehavior === 'throw' || !(error instanceof RunFault)) throw error;
    config.errorPath(payload, { name: error.name, message: error.message });
  }
}

function askedOf(config: SeriesSettings, payload: unknown): Omit<Asked, 'devices'> {
  const option = config.aggregationOptions.find(({ keyTemplate }) => keyTemplate(payload) === 'value');
  const duration = config.duration(payload);
  if (!(duration >= 0)) throw invalidSetting('duration', 'must be a number of milliseconds');
  return {
    names: config.attribute.map((name) => name(payload)).filter((name) => name !== ''),
    type: typeOf(config.aggregation(payload)),
    value: option?.valueTemplate(payload),
    duration,
    end: endOf(config.end(payload)),
  };
}

function typeOf(text: string): Aggregation | undefined {
  const name = text.trim().toUpperCase();
  const type = AGGREGATIONS.find((one) => one === name);
  if (!type && name !== '') throw invalidSetting('aggregation', `must be one of ${AGGREGATIONS.join(', ')}`);
  return type;
}

function endOf(text: string): number {
  const end = Number.isNaN(Number(text)) ? Date.parse(text) : Number(text);
  if (Number.isNaN(end)) throw invalidSetting('end', 'must be a time');
  return end;
}
