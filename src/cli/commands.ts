import { Command, Option } from 'commander';
import { X509Certificate } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Config } from '../config/config.js';
import { verifyCounts } from '../platform/counts/verify-counts.js';
import { callbackSecret } from './callbacks.js';
import { withDatabase } from './database.js';
import { listInstances } from './instances.js';
import {
  addSsoProvider,
  parseDomain,
  certificateWarnings,
  listSsoProviders,
  removeSsoProvider,
  ssoProvider,
} from './sso.js';
import {
  canonicalEmail,
  choosePassword,
  createUser,
  personName,
  setPassword,
  type ChosenPassword,
} from './users.js';

/** Loaded lazily: the job kinds import all resource families, which the other commands do not need. */
const loadJobs = () => import('./jobs.js');

interface PasswordOptions {
  password?: string;
  passwordStdin?: true;
}

interface UserOptions extends PasswordOptions {
  firstName?: string;
  lastName?: string;
  instanceAdmin?: true;
}

interface SsoOptions {
  entryPoint: string;
  issuer: string;
  certificate: string[];
  acsUrl?: string;
}

/**
 * Builds the operator commands. Validates all arguments before opening the database. Argument errors are printed and
 * thrown as a `CommanderError`; all other errors have a message for the operator.
 */
export function commands(config: Config): Command {
  const program = new Command('npm run admin --')
    .description('Manages the users, sign-in, jobs, callbacks and counts of a platform.')
    .exitOverride();

  const user = program.command('user').description('users');
  withPassword(
    user
      .command('create <email>')
      .description('create a user; generates and prints a password if none is given'),
  )
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--instance-admin', 'make the user an administrator of every instance')
    .action(async (address: string, options: UserOptions) => {
      const email = canonicalEmail(address);
      const names = { firstName: personName(options.firstName), lastName: personName(options.lastName) };
      const password = await passwordOf(options);
      await withDatabase(config, async (dataSource) => {
        const { instanceAdmin } = options;
        const id = await createUser(dataSource, { email, ...names, password: password.text, instanceAdmin });
        console.log(`Created the user ${email} (${id}).`);
        show(password);
      });
    });
  withPassword(
    user
      .command('set-password <email>')
      .description('set a new password for a user and revoke all session tokens'),
  ).action(async (address: string, options: PasswordOptions) => {
    const email = canonicalEmail(address);
    const password = await passwordOf(options);
    await withDatabase(config, async (dataSource) => {
      await setPassword(dataSource, email, password.text);
      console.log(`Set the password of ${email}. Existing session tokens stop working within 5 seconds.`);
      show(password);
    });
  });

  const sso = program
    .command('sso')
    .description('email domains whose users sign in through an identity provider (SAML)');
  sso
    .command('add <domain>')
    .description('add the identity provider of a domain, or replace it')
    .requiredOption('--entry-point <url>', 'URL to which users are redirected to sign in')
    .requiredOption('--issuer <id>', 'entity ID of the provider')
    .requiredOption('--certificate <file...>', 'signing certificates, one PEM certificate per file')
    .option('--acs-url <url>', 'URL that receives SAML responses; default: PUBLIC_URL/auth/user/saml')
    .action(async (domain: string, { certificate: certificateFiles, ...options }: SsoOptions) => {
      const provider = ssoProvider(domain, { ...options, certificateFiles });
      await withDatabase(config, async (dataSource) => {
        const { replaced } = await addSsoProvider(dataSource, provider);
        console.log(`${replaced ? 'Replaced' : 'Added'} the identity provider of ${provider.domain}.`);
        for (const warning of certificateWarnings(provider)) console.warn(`Warning: ${warning}`);
      });
    });
  sso
    .command('remove <domain>')
    .description('remove the identity provider of a domain')
    .action(async (text: string) => {
      const domain = parseDomain(text);
      await withDatabase(config, async (dataSource) => {
        const users = await removeSsoProvider(dataSource, domain);
        console.log(`Removed the identity provider of ${domain}.`);
        if (users)
          console.log(
            `Users who signed in through it: ${users}. Set a password for each with "user set-password".`,
          );
      });
    });
  sso
    .command('list')
    .description('list all identity providers')
    .action(() =>
      withDatabase(config, async (dataSource) => {
        for (const { domain, entryPoint, issuer, certificates } of await listSsoProviders(dataSource)) {
          const ends = certificates.map((pem) =>
            new Date(new X509Certificate(pem).validTo).toISOString().slice(0, 10),
          );
          console.log([domain, entryPoint, issuer, `certificates until ${ends.join(', ')}`].join('  '));
        }
      }),
    );

  const instances = program.command('instances').description('instances');
  instances
    .command('list')
    .description('list all instances with their administrators')
    .action(() =>
      withDatabase(config, async (dataSource) => {
        for (const { id, name, admins } of await listInstances(dataSource)) {
          console.log([id, name, `administrators ${admins.join(', ') || 'none'}`].join('  '));
        }
      }),
    );

  const jobs = program.command('jobs').description('jobs that failed permanently');
  jobs
    .command('list')
    .description('list the latest 100 failed jobs with their errors')
    .action(() =>
      withDatabase(config, async (dataSource) => {
        const { listFailedJobs } = await loadJobs();
        const failed = await listFailedJobs(dataSource);
        for (const { id, name, attempts, completedAt, error } of failed)
          console.log(
            [id, name, completedAt.toISOString(), `attempts ${attempts}`, error?.message].join('  '),
          );
        if (failed.length === 0) console.log('No job has failed.');
      }),
    );
  jobs
    .command('retry <id...>')
    .description('retry failed jobs as if they were new; workers pick them up within seconds')
    .action((ids: string[]) =>
      withDatabase(config, async (dataSource) => {
        const { retryJobs } = await loadJobs();
        console.log(`Queued again: ${(await retryJobs(dataSource, ids)).join(', ')}.`);
      }),
    );

  program
    .command('callbacks')
    .description('requests that the platform sends to a callbackUrl')
    .command('secret <id>')
    .description('print the secret that verifies the callbacks of an application or instance')
    .action((id: string) => console.log(callbackSecret(config, id)));

  program
    .command('counts')
    .description('stored counts, used in summaries, limits and lists')
    .command('verify')
    .description('compare the stored counts with the actual ones and correct those that differ')
    .option('--dry-run', 'change nothing')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      withDatabase(config, async (dataSource) => {
        const { countedRows } = await import('../families.js');
        const found = await verifyCounts(dataSource, countedRows, { mend: !dryRun });
        for (const { holderId, kind, counted, kept } of found)
          console.log(`${holderId}  ${kind}  stored ${kept}, actual ${counted}`);
        if (found.length === 0) console.log('All counts are correct.');
        else console.log(`${found.length} counts ${dryRun ? 'differ' : 'were corrected'}.`);
      }),
    );
  return program;
}

function withPassword(command: Command): Command {
  return command
    .option(
      '--password <password>',
      'the password; other users of the machine may see it in the process list',
    )
    .addOption(new Option('--password-stdin', 'read the password from standard input').conflicts('password'));
}

async function passwordOf({ password, passwordStdin }: PasswordOptions): Promise<ChosenPassword> {
  return choosePassword(passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : password);
}

function show({ text, isGenerated }: ChosenPassword): void {
  if (isGenerated) console.log(`Password  ${text}   (generated; shown only once)`);
}
