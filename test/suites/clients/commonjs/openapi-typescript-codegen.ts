import {
  ApiError,
  ApplicationsService,
  AuthService,
  DevicesExportFormat,
  DevicesService,
  FilesService,
  FileType,
  JobLogsService,
  OpenAPI,
  Scope,
  type ErrorResponse,
} from './codegen';
import { drive } from './scenario.js';

void drive({
  async signIn(baseUrl, email, password) {
    OpenAPI.BASE = baseUrl;
    const requestBody = { email, password, requestedScopes: [Scope.ALL_USER] };
    const { userId, token } = await AuthService.authAuthenticateUser({ requestBody });
    OpenAPI.TOKEN = token;
    return { userId };
  },
  createApplication: (name) => ApplicationsService.applicationsPost({ requestBody: { name } }),
  changeGlobals: (applicationId, requestBody) =>
    ApplicationsService.applicationGlobals({ applicationId, requestBody }),
  createDevice: (applicationId, name, tags) =>
    DevicesService.devicesPost({ applicationId, requestBody: { name, tags } }),
  listDevices: (applicationId, selection) => DevicesService.devicesGet({ applicationId, ...selection }),
  createFile: (applicationId, name) =>
    FilesService.filesPost({ applicationId, requestBody: { name, type: FileType.FILE } }),
  upload: (applicationId, fileId, file) =>
    FilesService.fileUpload({ applicationId, fileId, formData: { file } }),
  exportDevices: (applicationId) =>
    DevicesService.devicesExport({ applicationId, requestBody: { format: DevicesExportFormat.CSV } }),
  job: (applicationId, jobId) => JobLogsService.applicationJobLogGet({ applicationId, jobId }),
  deleteApplication: (applicationId) => ApplicationsService.applicationDelete({ applicationId }),
  missing: (applicationId) =>
    ApplicationsService.applicationGet({ applicationId }).then(
      () => undefined,
      // The body of an `ApiError` has no type.
      (error) => (error instanceof ApiError ? (error.body as ErrorResponse) : undefined),
    ),
});
