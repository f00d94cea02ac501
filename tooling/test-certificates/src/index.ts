/** @module Certificates for tests. */
export {
  type CertificateOptions,
  createCertificate,
  type TestCertificate,
} from './create-certificate.ts'
