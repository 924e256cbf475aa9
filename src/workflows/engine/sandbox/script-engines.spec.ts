import { IsolateProcesses } from './isolate-processes.js';
import { isolatedVm } from './isolated-vm.js';
import { scriptEngine } from './script-engines.js';
import { ScriptHosts } from './script-hosts.js';

it('the engine for scripts is QuickJS, or V8 if its package has a binary for this Node.js', async () => {
  expect(scriptEngine('quickjs')).toBeInstanceOf(ScriptHosts);
  if (isolatedVm()) expect(scriptEngine('v8')).toBeInstanceOf(IsolateProcesses);
  else expect(() => scriptEngine('v8')).toThrow('FUNCTION_ENGINE=v8 needs the optional package isolated-vm');
});
