import { DEPLOYMENT_ID } from './bundle';
import { FlowFact, flowFact } from './flows';
import { parseJsonBytes } from './json';
import { ID_SIZE, ownDeviceId } from './messages';
import { Firing } from './queue';
import { timeOf } from './times';
import { Trigger, TriggerKind } from './triggers';
import { decodeUtf8 } from './utf8';
import { UNDEFINED, Value } from './value';

const deploymentId: Value = Value.text(decodeUtf8(DEPLOYMENT_ID, ID_SIZE));

/** Whether the host has reported a connection to the platform. */
let connected: bool = false;

export function setConnected(status: bool): void {
  connected = status;
}

/** Creates the initial payload of a run. Its time is that of the tick, because hosts may have no other clock. */
export function firstPayload(trigger: Trigger, firing: Firing | null, data: Value, tick: i64): Value {
  const flow = trigger.flow;
  const topic = trigger.kind == TriggerKind.MqttTopic && firing !== null;
  return Value.object()
    .set('data', data)
    .set('deploymentId', deploymentId)
    .set('deviceId', Value.text(ownDeviceId()))
    .set('flowId', flowFact(flow, FlowFact.Id))
    .set('flowName', flowFact(flow, FlowFact.Name))
    .set('flowVersion', flowFact(flow, FlowFact.Version))
    .set('globals', flowFact(flow, FlowFact.Globals).clone())
    .set('isConnectedToLosant', Value.boolean(connected))
    .set('time', Value.number(<f64>tick))
    .set('triggerId', Value.text(topic ? firing!.topic : trigger.key))
    .set('triggerType', Value.text(trigger.type))
    .set('working', Value.object());
}

/** Returns the data of a firing; undefined if its message is not valid JSON or does not have the required form. */
export function dataOf(firing: Firing | null, kind: TriggerKind): Value {
  if (firing === null || kind == TriggerKind.OnBoot) return Value.object();
  const start = changetype<usize>(firing.payload);
  const length = firing.payload.length;
  if (kind == TriggerKind.MqttTopic) return Value.text(decodeUtf8(start, length));
  if (length == 0 && kind == TriggerKind.Direct) return Value.object();
  const read = parseJsonBytes(start, length);
  if (read === null) return UNDEFINED;
  if (kind == TriggerKind.VirtualButton) {
    const payload = read.member('payload');
    return payload.isUndefined ? Value.object() : payload;
  }
  return kind == TriggerKind.DeviceCommand ? command(read) : read;
}

/** Normalizes the time of a command to milliseconds, whichever format the broker uses. */
function command(read: Value): Value {
  if (!read.isObject) return UNDEFINED;
  const written = read.member('time');
  const time = written.isObject ? written.member('$date') : written;
  if (time.isText) read.set('time', Value.number(timeOf(time.asText)));
  else if (written.isObject) read.set('time', time);
  return read;
}
