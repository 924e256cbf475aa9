import { jobs } from '../../src/families.js';

/** Kinds of jobs that appear in no job log, each with the reason. */
const UNLOGGED: Readonly<Record<string, string>> = {
  'application.purge': 'the application is gone',
  'callback.send': 'it tells of another job',
  'device.purge': 'it is the rest of a deletion that is done for everybody',
  'file.purge': 'it is the rest of a deletion that is done for everybody',
  'flow.purge': 'it is the rest of a deletion that is done for everybody',
  'instance.generateReport': 'it is about an instance',
  'mail.send': 'it tells of another job',
  'org.purge': 'the organization is gone',
  'privateFile.purge': 'it is the rest of a deletion that is done for everybody',
  'user.purge': 'the user is gone',
};

it('every kind of job declares its log entry or is listed as an exception', () => {
  const silent = jobs.filter(({ options }) => !options.log).map(({ name }) => name);
  expect(silent.sort()).toEqual(Object.keys(UNLOGGED).sort());
});

/** Kinds of jobs in the log that send no notification, each with the reason. */
const WITHOUT_NOTIFICATION: Readonly<Record<string, string>> = {
  'application.dailyArchive': 'nobody asked for it',
  'application.dailyCommit': 'nobody asked for it',
  'deviceCommands.send': 'commands have a history of their own',
  'experience.delete': 'it tells nobody',
};

it('every requested kind of job notifies about its end, even if its worker died, or is listed as an exception', () => {
  const silent = jobs.filter(({ options }) => options.log && !options.notifies).map(({ name }) => name);
  expect(silent.sort()).toEqual(Object.keys(WITHOUT_NOTIFICATION).sort());
});
