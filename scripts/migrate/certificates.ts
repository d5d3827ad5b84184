// Certificates for TLS between the services: each installation has a CA, which signs one certificate for each part.
import { X509Certificate } from 'node:crypto';
import { createAuthority, issueCertificate } from '@husky/runtime/rpc/certificates';

export type Entries = Record<string, string>;

/** Creates a CA. `ca.crt` has the trusted CAs: during a replacement, operators add the other CA to it. */
export async function createCa(installation: string): Promise<Entries> {
  const suffix = new Date().toISOString().slice(0, 10);
  const { certificate, privateKey } = await createAuthority(`${installation} services ${suffix}`);
  return { 'tls.crt': certificate, 'tls.key': privateKey, 'ca.crt': certificate };
}

/**
 * Returns the entries of a part's secret: the certificate and the trusted CAs. Issues a new certificate unless the existing one is
 * signed by this CA and in the first half of its validity.
 */
export async function renewCertificate(
  part: string,
  authority: Entries,
  existing: Entries | undefined,
  now: Date,
): Promise<Entries> {
  const { 'tls.crt': signer = '', 'tls.key': signerKey = '', 'ca.crt': trusted = signer } = authority;
  if (existing?.['tls.key'] !== undefined && isCurrent(existing['tls.crt'], part, signer, now)) {
    return { ...existing, 'ca.crt': trusted };
  }
  const issued = await issueCertificate({ certificate: signer, privateKey: signerKey }, [part]);
  return { 'tls.crt': issued.certificate, 'tls.key': issued.privateKey, 'ca.crt': trusted };
}

function isCurrent(pem: string | undefined, part: string, signer: string, now: Date): boolean {
  try {
    const certificate = new X509Certificate(pem ?? '');
    const ca = new X509Certificate(signer);
    const halfMs = (Date.parse(certificate.validFrom) + Date.parse(certificate.validTo)) / 2;
    return certificate.checkHost(part) !== undefined && certificate.verify(ca.publicKey) && now.getTime() < halfMs;
  } catch {
    return false;
  }
}
