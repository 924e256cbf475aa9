import fc from 'fast-check';
import { ModuleMocker } from 'jest-mock';

const mocker = new ModuleMocker(globalThis);

/** Where Jest keeps the time-out of tests. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  setTimeout: (milliseconds) => void (globalThis[TIMEOUT] = milliseconds),
};

/** The worker's own world, which all files that it runs share. What a file has mocked is as before when it is through. */
export default class Environment {
  global = Object.assign(globalThis, { jest });
  moduleMocker = mocker;
  fakeTimers = null;
  fakeTimersModern = null;

  /** Properties are tried on what follows from the seed of the run. */
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
