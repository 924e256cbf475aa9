import { BARE, importsOf, placeholder as id, yamlOf } from '../../../../test/make/bundle-imports.js';
import { BundledApplication } from '../../../../test/make/bundles.js';
import { suite } from '../../../../test/setup/suite.js';
import { Config } from '../../../config/config.js';

const {
  test,
  user,
  application: given,
} = suite({
  PUBLIC_URL: 'https://pumps.example.com',
  PUBLIC_FILES_URL: 'https://files.example.com',
  SITES_DOMAIN: 'sites.example.com',
  SITES_URL: 'http://sites.example.com',
});
const imports = importsOf(test, user);

describe('bundle of a compatible platform', () => {
  it('gets the addresses of this platform, and keeps placeholders of kinds that do not exist yet', async () => {
    const of = (name: string) => `~exportplaceholderid-${name}~`;
    const names = ['triggers-url', 'endpoint-domain', 'broker-url', 'files-domain', 'docs-url', 'app-url'];
    const kept = [id('dashboard', 'oee-0'), id('notebook', 'report-0')];
    const { status, body } = await imports.new({
      ...BARE,
      'README.md': [
        ...names.map(of),
        `https://{{slug}}.${of('endpoint-domain')}`,
        ...kept,
        id('device', 'missing-0'),
      ].join(' '),
      'devices.yaml': yamlOf('DeviceTree', [
        { id: id('device', 'a'), name: 'A', tags: [{ key: 'board', value: kept[0] }] },
      ]),
    });
    const reported = { type: 'Device', message: `It refers to ${kept[0]}, which is not imported` };
    expect([status, body.validationErrors]).toEqual([201, [expect.objectContaining(reported)]]);
    const application = body.application.id;
    const readme = await test.client.get(`/applications/${application}/readme`, { token: user.token });
    const { host, hostname } = new URL(test.app.get(Config).publicUrl);
    const files = 'files.example.com/files';
    const addresses = [host, 'sites.example.com', hostname, files, `${host}/docs`, host];
    const texts = readme.body.content.split(' ');
    expect(texts.slice(0, -1)).toEqual([...addresses, 'http://{{slug}}.sites.example.com', ...kept]);
    expect(texts.at(-1)).toMatch(/^[\da-f]{24}$/);
    const [device] = await imports.list(application, 'devices');
    expect(device.tags).toEqual([{ key: 'board', value: kept[0] }]);
  });

  it('is written with placeholders for the addresses of this platform, and imported with the same addresses', async () => {
    const bundled = new BundledApplication(test, given, user);
    const content = [
      'https://pumps.example.com/webhooks/1',
      'https://files.example.com/files/2',
      'https://pumps.example.com/docs',
      'https://pumps.example.com/3',
      'http://my-slug.sites.example.com/4',
      'mqtts://pumps.example.com:8883',
    ].join(' ');
    await test.client.patch(bundled.at('/readme'), { content }, { token: user.token });
    const { files } = await bundled.exported();
    const written = files['README.md']!.toString();
    expect(written.replaceAll('exportplaceholderid-', '')).toBe(
      'https://~triggers-url~/webhooks/1 https://~files-domain~/2 https://~docs-url~ https://~app-url~/3 ' +
        'http://my-slug.~endpoint-domain~/4 mqtts://~broker-url~:8883',
    );
    const { body } = await imports.new(files);
    const again = new BundledApplication(test, body.application, user);
    const readme = await test.client.get(again.at('/readme'), { token: user.token });
    expect(readme.body.content).toBe(content);
    expect((await again.exported()).files['README.md']!.toString()).toBe(written);
  });

  it('keeps rows with an empty text in a required column', async () => {
    const { body } = await imports.new({
      ...BARE,
      'dataTables/T.yaml': yamlOf('DataTable', [
        {
          id: id('dataTable', 't'),
          name: 'T',
          localFilename: './T.csv',
          columns: [
            { name: 'a', dataType: 'string', constraint: 'required' },
            { name: 'b', dataType: 'string', constraint: 'optional' },
          ],
        },
      ]),
      'dataTables/T.csv': 'id,a,b\n,,\n,x,y\n',
    });
    expect(body.validationErrors).toEqual([]);
    const application = body.application.id;
    const [table] = await imports.list(application, 'data-tables');
    const rows = await imports.list(application, `data-tables/${table.id}/rows`);
    expect(rows.map(({ a, b }) => [a, b])).toEqual(
      expect.arrayContaining([
        ['', null],
        ['x', 'y'],
      ]),
    );
    expect(rows).toHaveLength(2);
  });
});
