import fc from 'fast-check';
import { ModuleMocker } from 'jest-mock';

const mocker = new ModuleMocker(globalThis);

/** Key under which Jest stores the time-out of tests. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  setTimeout: (milliseconds) => void (globalThis[TIMEOUT] = milliseconds),
};

/** The environment of a worker, shared by all files that it runs. Mocks are restored after each file. */
export default class Environment {
  global = Object.assign(globalThis, { jest });
  moduleMocker = mocker;
  fakeTimers = null;
  fakeTimersModern = null;

  /** Property tests derive their inputs from the seed of the run. */
  async setup() {
    fc.configureGlobal({ seed: Number(process.env.SEED) });
  }

  async teardown() {
    mocker.restoreAllMocks();
    delete globalThis[TIMEOUT];
  }

  getVmContext() {
    return null;
  }
}
