import { checkUri } from './mongo-uri.js';

describe('checkUri', () => {
  it.each([
    'mongodb://db.example.com',
    'mongodb://u:p%40w@a.example.com:27017,b.example.com:27018/app?replicaSet=rs&tls=true&authSource=admin',
    'mongodb+srv://u:p@cluster.example.com/app?retryWrites=true&w=majority&authMechanism=SCRAM-SHA-256',
  ])('accepts %s', (uri) => {
    expect(() => checkUri(uri)).not.toThrow();
  });

  it.each([
    'tlsCAFile=/etc/passwd',
    'TLSCertificateKeyFile=/x',
    'tls=true&tlsCRLFile=x',
    'authMechanism=MONGODB-AWS',
    'authmechanism=MONGODB-OIDC',
    'authMechanism=SCRAM-SHA-1&authMechanism=GSSAPI',
    'authMechanismProperties=ENVIRONMENT:k8s',
    'proxyHost=localhost',
    'compressors=zlib',
  ])('refuses the option %s', (query) => {
    for (const end of ['?', '#', '/?', '/x#?a?'])
      expect(() => checkUri(`mongodb://u:Secret-Horse@h${end}${query}`)).toThrow(
        expect.objectContaining({
          name: 'ValidationError',
          message: expect.not.stringContaining('Secret-Horse'),
        }),
      );
  });

  it.each(['', 'http://h', 'mongodb://', 'mongodb://?tls=true', ' mongodb://h'])('refuses %j', (uri) => {
    expect(() => checkUri(uri)).toThrow('must begin with');
  });
});
