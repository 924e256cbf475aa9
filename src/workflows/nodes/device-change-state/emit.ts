import type { DeviceChangeStateConfig } from './config.js';
import { code, type Code } from '../../embedded/code.js';
import type { Emitter, NodeCode } from '../../embedded/emitter.js';
import { isReference, optionalPath } from '../../embedded/template-emitter.js';

export const embedded: NodeCode<DeviceChangeStateConfig> = {
  runtime: code`import * as deviceState from '../../nodes/device-change-state/wasm';`,
  emit: (config, to) => code`
    const report = new deviceState.Report(run);
    ${attributes(config, to)}
    return report.send(${time(config, to)}, ${optionalPath(to, config.resultPath)});`,
};

function attributes(
  { attrDataMethod, attrInfos = [], ...config }: DeviceChangeStateConfig,
  to: Emitter,
): Code {
  if (attrDataMethod === 'jsonTemplate') return code`report.all(${to.json(config.attrJsonTemplate!)});`;
  if (attrDataMethod === 'payloadPath')
    return code`report.all(${to.path(config.attrPayloadPath!)}.get(run.payload));`;
  const each = attrInfos.map(({ key, valueTemplate }) =>
    isReference(valueTemplate)
      ? code`report.value(${to.string(key)}, ${to.expression(valueTemplate)});`
      : code`report.text(${to.string(key)}, ${to.text(valueTemplate)});`,
  );
  return code`${each}`;
}

/** Returns code for the time of the report. */
function time({ timeSourceType, timeSourcePath }: DeviceChangeStateConfig, to: Emitter): Code {
  if (timeSourceType === 'now') return code`deviceState.currentTime()`;
  const path = timeSourceType === 'payloadPath' ? timeSourcePath! : 'time';
  return code`${to.path(path)}.get(run.payload)`;
}
