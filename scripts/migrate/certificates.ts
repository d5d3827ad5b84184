// Certificates for TLS between the services: one CA per installation, and one certificate signed by it for each part.
import { X509Certificate } from 'node:crypto';
import { createAuthority, issueCertificate } from '@husky/runtime/certificates';

export type Entries = Record<string, string>;

/** Creates a CA. During its replacement `ca.crt`, the trusted CAs, may contain the old and the new one. */
export async function freshAuthority(installation: string): Promise<Entries> {
  const suffix = new Date().toISOString().slice(0, 10);
  const { certificate, privateKey } = await createAuthority(`${installation} services ${suffix}`);
  return { 'tls.crt': certificate, 'tls.key': privateKey, 'ca.crt': certificate };
}

/**
 * Returns the entries of a part's secret: its present certificate if this CA has signed it and it is in the first half of its
 * validity, otherwise a new one; and always the current trusted CAs.
 */
export async function renewCertificate(
  part: string,
  authority: Entries,
  before: Entries | undefined,
  now: Date,
): Promise<Entries> {
  const { 'tls.crt': signer = '', 'tls.key': signerKey = '', 'ca.crt': trusted = signer } = authority;
  if (before?.['tls.key'] !== undefined && holds(before['tls.crt'], part, signer, now)) {
    return { ...before, 'ca.crt': trusted };
  }
  const issued = await issueCertificate({ certificate: signer, privateKey: signerKey }, [part]);
  return { 'tls.crt': issued.certificate, 'tls.key': issued.privateKey, 'ca.crt': trusted };
}

function holds(own: string | undefined, part: string, signer: string, now: Date): boolean {
  try {
    const certificate = new X509Certificate(own ?? '');
    const ca = new X509Certificate(signer);
    const half = (Date.parse(certificate.validFrom) + Date.parse(certificate.validTo)) / 2;
    return certificate.checkHost(part) !== undefined && certificate.verify(ca.publicKey) && now.getTime() < half;
  } catch {
    return false;
  }
}
