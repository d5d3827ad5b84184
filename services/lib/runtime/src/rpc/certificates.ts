// @peculiar/x509 needs this polyfill to be loaded first.
import 'reflect-metadata';
import { createPrivateKey } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key, both PEM. */
export interface Issued {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

const hourMs = 3_600_000;
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const signing = { ...curve, hash: 'SHA-256' } as const;

/** Returns a validity of that many days. It starts one hour ago, to allow for clock skew. */
export const forDays = (days: number): Validity => ({
  from: new Date(Date.now() - hourMs),
  until: new Date(Date.now() + days * 24 * hourMs),
});

/** Creates a self-signed certificate authority with a P-256 key. */
export async function createAuthority(name: string, validity = forDays(3650)): Promise<Issued> {
  const keys = await keyPair();
  const subject = [{ CN: [name] }];
  return issue(keys, keys.privateKey, subject, subject, validity, [
    new BasicConstraintsExtension(true, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    await SubjectKeyIdentifierExtension.create(keys.publicKey),
  ]);
}

/** Issues a certificate for client and server use with these DNS names. The authority's key must be P-256. */
export async function issueCertificate(
  authority: Issued,
  names: readonly string[],
  validity = forDays(730),
): Promise<Issued> {
  const keys = await keyPair();
  const [first = ''] = names;
  const issuer = new X509Certificate(authority.certificate);
  return issue(
    keys,
    await importAuthorityKey(authority.privateKey),
    issuer.subjectName.toJSON(),
    [{ CN: [first] }],
    validity,
    [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  );
}

type Name = ReturnType<X509Certificate['subjectName']['toJSON']>;
type Keys = Awaited<ReturnType<typeof keyPair>>;

async function issue(
  { publicKey, privateKey }: Keys,
  signingKey: Keys['privateKey'],
  issuer: Name,
  subject: Name,
  { from: notBefore, until: notAfter }: Validity,
  extensions: Extension[],
): Promise<Issued> {
  const signingAlgorithm = signing;
  const fields = { issuer, subject, notBefore, notAfter, signingAlgorithm, publicKey, signingKey, extensions };
  const certificate = await X509CertificateGenerator.create(fields);
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey));
  const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' });
  return { certificate: `${certificate.toString('pem')}\n`, privateKey: pem.toString() };
}

const keyPair = () => crypto.subtle.generateKey(curve, true, ['sign', 'verify']);

/** Imports the authority's key; accepts PKCS 8 and openssl's older PEM form of EC keys (SEC 1). */
function importAuthorityKey(pem: string): Promise<Keys['privateKey']> {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ec') throw new Error('the key of the certificate authority is no EC key');
  return crypto.subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), curve, false, ['sign']);
}
