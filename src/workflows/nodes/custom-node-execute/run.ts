import { whenReady } from '../../../lib/async/when-ready.js';
import { END, type Cap, type NodeRun, type Outcome, type RunPath } from '../../engine/node-run.js';
import { Payload } from '../../engine/payload.js';
import type { Program } from '../../engine/program.js';
import { rootPayload } from '../../engine/root-payload.js';
import { invalidSetting, RunFault } from '../../engine/run-error.js';
import * as setting from '../settings.js';
import { compileInputs, type Inputs } from './inputs.js';

const MAX_FIELDS = 100;
const START = 'customNodeStart';

/** The field determines how a value is read. */
const value: setting.Setting<unknown> = (raw) => raw;

const settings = setting.group({
  customNodeId: setting.text,
  /** Name of a version, `develop` or `default`. */
  customNodeVersion: setting.text,
  isInstance: setting.flag(),
  fields: setting.list(setting.group({ id: setting.text, value }), MAX_FIELDS),
  resultPath: setting.target,
});
type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => {
    const caller = new Caller(config);
    return (path) => caller.call(path);
  },
};

/** Node that calls a custom node. */
class Caller {
  private inputs?: { readonly program: Program; readonly read: Inputs };
  private readonly version: string;
  private readonly values: ReadonlyMap<string, unknown>;

  constructor(private readonly settings: Settings) {
    this.version = settings.customNodeVersion || 'default';
    this.values = new Map(settings.fields.map(({ id, value }) => [id, value]));
  }

  call(path: RunPath): Outcome | Promise<Outcome> {
    const { run } = path;
    const { customNodeId, isInstance } = this.settings;
    if (customNodeId === '') throw invalidSetting('customNodeId', 'is required');
    const program = run.ports.programs.customNode(run, customNodeId, this.version, isInstance);
    return whenReady(program, (found) => this.enter(path, found));
  }

  private enter(path: RunPath, program: Program | undefined): Outcome | Promise<Outcome> {
    if (!program)
      throw new RunFault(
        'NotFound',
        `The custom node ${this.settings.customNodeId} does not exist in version ${this.version}`,
      );
    const data = this.inputsOf(program)(path.payload.data);
    // The custom node receives objects of this payload.
    path.payload.share();
    const payload = rootPayload(program, { time: new Date(), triggerType: START, triggerId: START, data });
    const cap = path.control.call(program, new Payload(payload));
    return whenReady(cap, (end) => this.leave(path, end));
  }

  /** Prepares the inputs again if the program is another one: development versions change. */
  private inputsOf(program: Program): Inputs {
    if (this.inputs?.program !== program)
      this.inputs = { program, read: compileInputs(program.customNode?.fields ?? [], this.values) };
    return this.inputs.read;
  }

  private leave({ payload }: RunPath, cap: Cap | undefined): Outcome {
    if (!cap) return END;
    this.settings.resultPath(payload, cap.result?.(cap.payload.data));
    return cap.branch;
  }
}
