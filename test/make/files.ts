import type { TestApp } from '../setup/app.js';
import type { TestUser } from './make.js';
import { reachable, upload } from './upload-forms.js';

/** Path of the collection, path of one file, and table: of the files of an application, and of its private files. */
export const FILE_KINDS = [
  ['files', 'file', 'files'],
  ['privateFiles', 'privateFiles', 'private_files'],
] as const;

/** Returns operations for suites over one kind of file. */
export function filesIn(
  test: TestApp,
  { user, application }: { user: TestUser; application: { id: string } },
  many: 'files' | 'privateFiles',
  one: 'file' | 'privateFiles',
) {
  const token = () => ({ token: user.token });
  const list = `/${many}`;
  const at = (path: string) => `/applications/${application.id}${path}`;
  const own = (id: string) => at(`/${one}/${id}`);

  const post = (body: object) => test.client.post(at(list), { type: 'file', ...body }, token());
  const made = async (body: object) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body;
  };
  const directory = (name: string, parentDirectory = '/') =>
    made({ name, parentDirectory, type: 'directory' });
  const get = (id: string) => test.client.get(own(id), token());
  const listed = async (query = '') => (await test.client.get(at(`${list}?${query}`), token())).body;
  const names = async (query = '') =>
    (await listed(`sortField=name&${query}`)).items.map((file: any) => file.parentDirectory + file.name);
  const move = (id: string, query: Record<string, string>) =>
    test.client.post(`${own(id)}/move?${new URLSearchParams(query).toString()}`, undefined, token());
  const send = (file: any, content: string) => upload(reachable(file.upload, test), content);
  const complete = async (body: object, content = 'content') => {
    const file = await made(body);
    expect((await send(file, content)).status).toBeLessThan(300);
    return (await get(file.id)).body;
  };
  return { list, at, own, post, made, directory, get, listed, names, move, send, complete };
}
