import { jobs } from '../../src/families.js';

/** Kinds of jobs that no application's log has, each with the reason. */
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

it('Every kind of job says what the log of its application shows, or is in none for a reason', () => {
  const silent = jobs.filter(({ options }) => !options.log).map(({ name }) => name);
  expect(silent.sort()).toEqual(Object.keys(UNLOGGED).sort());
});

/** Kinds of jobs that an application's log has and that tell nobody how they ended, each with the reason. */
const UNTOLD: Readonly<Record<string, string>> = {
  'application.dailyArchive': 'nobody asked for it',
  'application.dailyCommit': 'nobody asked for it',
  'deviceCommands.send': 'commands have a history of their own',
  'experience.delete': 'it tells nobody',
};

it('Every kind of job that is asked for tells how it ended, also where its worker died, or tells nobody for a reason', () => {
  const silent = jobs.filter(({ options }) => options.log && !options.tells).map(({ name }) => name);
  expect(silent.sort()).toEqual(Object.keys(UNTOLD).sort());
});
