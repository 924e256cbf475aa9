import * as api from './hey/index.js';
import { client } from './hey/client.gen.js';
import { drive } from './scenario.js';

const throwOnError = true;

async function dataOf<Data>(call: Promise<{ data: Data }>): Promise<Data> {
  return (await call).data;
}

void drive({
  async signIn(baseUrl, email, password) {
    client.setConfig({ baseUrl: baseUrl as '/' });
    const body: api.UserCredentials = { email, password, requestedScopes: ['all.User'] };
    const { userId, token } = await dataOf(api.authAuthenticateUser({ body, throwOnError }));
    client.setConfig({ auth: token });
    return { userId };
  },
  createApplication: (name) => dataOf(api.applicationsPost({ body: { name }, throwOnError })),
  changeGlobals: (applicationId, body) =>
    dataOf(api.applicationGlobals({ path: { applicationId }, body, throwOnError })),
  createDevice: (applicationId, name, tags) =>
    dataOf(api.devicesPost({ path: { applicationId }, body: { name, tags }, throwOnError })),
  listDevices: (applicationId, query) =>
    dataOf(api.devicesGet({ path: { applicationId }, query, throwOnError })),
  createFile: (applicationId, name) =>
    dataOf(api.filesPost({ path: { applicationId }, body: { name, type: 'file' }, throwOnError })),
  upload: (applicationId, fileId, file) =>
    dataOf(api.fileUpload({ path: { applicationId, fileId }, body: { file }, throwOnError })),
  exportDevices: (applicationId) =>
    dataOf(api.devicesExport({ path: { applicationId }, body: { format: 'csv' }, throwOnError })),
  job: (applicationId, jobId) =>
    dataOf(api.applicationJobLogGet({ path: { applicationId, jobId }, throwOnError })),
  deleteApplication: (applicationId) =>
    dataOf(api.applicationDelete({ path: { applicationId }, throwOnError })),
  missing: async (applicationId) => (await api.applicationGet({ path: { applicationId } })).error,
});
