// The library needs `reflect-metadata` to be loaded first, so it is only imported from here.
import 'reflect-metadata';

export {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
} from '@peculiar/x509';
