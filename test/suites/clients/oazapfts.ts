import { ok } from '@oazapfts/runtime';
import * as api from './functions.js';
import { drive } from './scenario.js';

void drive({
  async signIn(baseUrl, email, password) {
    api.defaults.baseUrl = baseUrl;
    const credentials: api.UserCredentials = { email, password, requestedScopes: ['all.User'] };
    const { userId, token } = await ok(api.authAuthenticateUser(credentials));
    api.defaults.headers = { Authorization: `Bearer ${token}` };
    return { userId };
  },
  createApplication: (name) => ok(api.applicationsPost({ name })),
  changeGlobals: (applicationId, changes) => ok(api.applicationGlobals(applicationId, changes)),
  createDevice: (applicationId, name, tags) => ok(api.devicesPost(applicationId, { name, tags })),
  listDevices: (applicationId, selection) => ok(api.devicesGet(applicationId, selection)),
  createFile: (applicationId, name) => ok(api.filesPost(applicationId, { name, type: 'file' })),
  upload: (applicationId, fileId, file) => ok(api.fileUpload(applicationId, fileId, { file })),
  exportDevices: (applicationId) => ok(api.devicesExport(applicationId, { format: 'csv' })),
  job: (applicationId, jobId) => ok(api.applicationJobLogGet(applicationId, jobId)),
  deleteApplication: (applicationId) => ok(api.applicationDelete(applicationId)),
  async missing(applicationId) {
    const response = await api.applicationGet(applicationId);
    return response.status === 404 ? response.data : undefined;
  },
});
