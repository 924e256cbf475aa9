import createClient from 'openapi-fetch';
import { drive } from './scenario.js';
import type { components, paths } from './schema.js';

type Schemas = components['schemas'];
let api = createClient<paths>();

async function dataOf<Data>(call: Promise<{ data?: Data; error?: { message: string } }>): Promise<Data> {
  const { data, error } = await call;
  if (!data) throw new Error(error?.message);
  return data;
}

void drive({
  async signIn(baseUrl, email, password) {
    api = createClient<paths>({ baseUrl });
    const body: Schemas['UserCredentials'] = { email, password, requestedScopes: ['all.User'] };
    const { userId, token } = await dataOf(api.POST('/auth/user', { body }));
    api.use({ onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${token}`) });
    return { userId };
  },
  createApplication: (name) => dataOf(api.POST('/applications', { body: { name } })),
  changeGlobals: (applicationId, body) =>
    dataOf(api.PATCH('/applications/{applicationId}/globals', { params: { path: { applicationId } }, body })),
  createDevice: (applicationId, name, tags) =>
    dataOf(
      api.POST('/applications/{applicationId}/devices', {
        params: { path: { applicationId } },
        body: { name, tags },
      }),
    ),
  listDevices: (applicationId, query) =>
    dataOf(api.GET('/applications/{applicationId}/devices', { params: { path: { applicationId }, query } })),
  createFile: (applicationId, name) =>
    dataOf(
      api.POST('/applications/{applicationId}/files', {
        params: { path: { applicationId } },
        body: { name, type: 'file' },
      }),
    ),
  upload: (applicationId, fileId, content) =>
    dataOf(
      api.POST('/applications/{applicationId}/file/{fileId}/upload', {
        params: { path: { applicationId, fileId } },
        // openapi-typescript declares all binary contents as strings.
        body: { file: content as unknown as string },
        bodySerializer({ file }) {
          const form = new FormData();
          form.append('file', file);
          return form;
        },
      }),
    ),
  exportDevices: (applicationId) =>
    dataOf(
      api.POST('/applications/{applicationId}/devices/export', {
        params: { path: { applicationId } },
        body: { format: 'csv' },
      }),
    ),
  job: (applicationId, jobId) =>
    dataOf(
      api.GET('/applications/{applicationId}/jobLogs/{jobId}', {
        params: { path: { applicationId, jobId } },
      }),
    ),
  deleteApplication: (applicationId) =>
    dataOf(api.DELETE('/applications/{applicationId}', { params: { path: { applicationId } } })),
  async missing(applicationId) {
    const { error } = await api.GET('/applications/{applicationId}', { params: { path: { applicationId } } });
    return error;
  },
});

/** What must not compile. */
export const mistakes = [
  // @ts-expect-error A name is required.
  () => api.POST('/applications', { body: {} }),
  // @ts-expect-error There is no such field to sort by.
  () => api.GET('/applications', { params: { query: { sortField: 'colour' } } }),
  // @ts-expect-error There is no such scope.
  () => api.POST('/auth/user', { body: { email: '', password: '', requestedScopes: ['all.Things'] } }),
  // @ts-expect-error There is no such role.
  (): Schemas['Role'] => 'owner',
  // @ts-expect-error An application always has a name.
  (): Schemas['Application']['name'] => undefined,
];
