import { Api, DevicesExportFormat, FileType, Scope, type ErrorResponse, type HttpResponse } from './api.js';
import { drive } from './scenario.js';

const api = new Api<string>({
  securityWorker: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
});

async function dataOf<Data>(call: Promise<HttpResponse<Data, ErrorResponse>>): Promise<Data> {
  return (await call).data;
}

void drive({
  async signIn(baseUrl, email, password) {
    api.baseUrl = baseUrl;
    const credentials = { email, password, requestedScopes: [Scope.AllUser] };
    const { userId, token } = await dataOf(api.auth.authAuthenticateUser(credentials));
    api.setSecurityData(token);
    return { userId };
  },
  createApplication: (name) => dataOf(api.applications.applicationsPost({ name })),
  changeGlobals: (applicationId, changes) =>
    dataOf(api.applications.applicationGlobals(applicationId, changes)),
  createDevice: (applicationId, name, tags) =>
    dataOf(api.applications.devicesPost(applicationId, { name, tags })),
  listDevices: (applicationId, selection) => dataOf(api.applications.devicesGet(applicationId, selection)),
  createFile: (applicationId, name) =>
    dataOf(api.applications.filesPost(applicationId, { name, type: FileType.File })),
  upload: (applicationId, fileId, file) =>
    dataOf(api.applications.fileUpload(applicationId, fileId, { file })),
  exportDevices: (applicationId) =>
    dataOf(api.applications.devicesExport(applicationId, {}, { format: DevicesExportFormat.Csv })),
  job: (applicationId, jobId) => dataOf(api.applications.applicationJobLogGet(applicationId, jobId)),
  deleteApplication: (applicationId) => dataOf(api.applications.applicationDelete(applicationId)),
  missing: (applicationId) =>
    api.applications.applicationGet(applicationId).then(
      () => undefined,
      ({ error }: HttpResponse<unknown, ErrorResponse>) => error,
    ),
});
