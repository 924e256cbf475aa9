/** Calls that each generated client makes with its own functions and types. They throw an error if the platform refuses. */
export interface Client {
  /** Signs in at the platform. All later calls send the token. */
  signIn(baseUrl: string, email: string, password: string): Promise<{ userId: string }>;
  createApplication(name: string): Promise<{ id: string; ownerId: string }>;
  changeGlobals(
    applicationId: string,
    changes: { key: string; json: string | null }[],
  ): Promise<{ globals?: { key: string }[] }>;
  createDevice(applicationId: string, name: string, tags: { key: string; value: string }[]): Promise<unknown>;
  listDevices(applicationId: string, selection: Selection): Promise<{ items: { name: string }[] }>;
  createFile(applicationId: string, name: string): Promise<{ id: string }>;
  upload(
    applicationId: string,
    fileId: string,
    content: File,
  ): Promise<{ status: string; contentType?: string; url?: string }>;
  exportDevices(applicationId: string): Promise<{ jobId: string }>;
  job(applicationId: string, jobId: string): Promise<{ name: string; status: string }>;
  deleteApplication(applicationId: string): Promise<{ success: boolean }>;
  /** Requests an application that does not exist, and returns the error with the type that the client gives it. */
  missing(applicationId: string): Promise<{ type: string; message: string } | undefined>;
}

/** Parameters of a list, as JSON text. */
export interface Selection {
  query?: string;
  tagFilter?: string;
}

const JOB_INTERVAL = 100;
const MAX_JOB_REQUESTS = 300;

/** Uses the platform that the arguments of the process name, and prints what the client returned as JSON. */
export async function drive(client: Client): Promise<void> {
  const [, , url = '', email = '', password = '', name = ''] = process.argv;
  const { userId } = await client.signIn(url, email, password);
  const { id, ownerId } = await client.createApplication(name);
  await client.changeGlobals(id, [{ key: 'region', json: '"eu"' }]);
  const { globals } = await client.changeGlobals(id, [
    { key: 'region', json: null },
    { key: 'site', json: '"north"' },
  ]);

  for (const site of ['north', 'south']) await client.createDevice(id, site, [{ key: 'site', value: site }]);
  const names = async (selection: Selection) =>
    (await client.listDevices(id, selection)).items.map((device) => device.name);
  const queried = await names({ query: JSON.stringify({ name: 'south' }) });
  const tagged = await names({ tagFilter: JSON.stringify([{ key: 'site', value: 'north' }]) });

  const file = await client.createFile(id, 'readings.csv');
  const content = new File(['time,pressure\n1,2.5\n'], 'readings.csv', { type: 'text/csv' });
  const uploaded = await client.upload(id, file.id, content);

  const { jobId } = await client.exportDevices(id);
  const job = await ended(() => client.job(id, jobId));

  const report = {
    isOwner: ownerId === userId,
    globals: globals?.map(({ key }) => key),
    queried,
    tagged,
    uploaded: [uploaded.status, uploaded.contentType, await download(uploaded.url!, url)],
    exported: [job.name, job.status],
    deleted: await client.deleteApplication(id),
    error: await client.missing(id),
  };
  console.log(JSON.stringify(report));
}

/** Returns a job when it has ended. */
async function ended<Job extends { status: string }>(current: () => Promise<Job>): Promise<Job> {
  for (let requests = 0; requests < MAX_JOB_REQUESTS; requests++) {
    const job = await current();
    if (!['queued', 'inProgress'].includes(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, JOB_INTERVAL));
  }
  throw new Error('The job did not end in time');
}

/** Returns the content at a link. Replaces its host by that of `baseUrl`, as a test platform does not know its own port. */
async function download(link: string, baseUrl: string): Promise<string> {
  const { pathname, search } = new URL(link);
  return (await fetch(new URL(pathname + search, baseUrl))).text();
}
