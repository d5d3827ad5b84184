// Certificates for TLS between the services, made by the secrets Job: a CA once, a certificate of it for each part.
import { X509Certificate } from 'node:crypto';
import { createAuthority, issueCertificate } from '@husky/runtime/certificates';

export type Entries = Record<string, string>;

/** A CA of this installation; what everybody believes (`ca.crt`) may hold another one beside it while it is replaced. */
export async function freshAuthority(installation: string): Promise<Entries> {
  const suffix = new Date().toISOString().slice(0, 10);
  const { certificate, privateKey } = await createAuthority(`${installation} services ${suffix}`);
  return { 'tls.crt': certificate, 'tls.key': privateKey, 'ca.crt': certificate };
}

/**
 * What a part's secret is to hold: as before while its certificate is of this CA and in the first half of its time,
 * else a new one; the CAs to believe are always the present ones.
 */
export async function wantedCertificate(
  part: string,
  authority: Entries,
  before: Entries | undefined,
  now: Date,
): Promise<Entries> {
  const { 'tls.crt': signer = '', 'tls.key': signerKey = '', 'ca.crt': believed = signer } = authority;
  if (before?.['tls.key'] !== undefined && holds(before['tls.crt'], part, signer, now)) {
    return { ...before, 'ca.crt': believed };
  }
  const issued = await issueCertificate({ certificate: signer, privateKey: signerKey }, [part]);
  return { 'tls.crt': issued.certificate, 'tls.key': issued.privateKey, 'ca.crt': believed };
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
