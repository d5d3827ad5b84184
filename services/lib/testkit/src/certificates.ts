import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';

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

/** From an hour ago, as clocks differ, for that many days. */
export const forDays = (days: number): Validity => ({
  from: new Date(Date.now() - hourMs),
  until: new Date(Date.now() + days * 24 * hourMs),
});

/** A certificate authority of its own, P-256. */
export function createAuthority(name: string, validity = forDays(3650)): Issued {
  const key = keyPair();
  const extensions = [
    extension(oid.basicConstraints, sequence(boolean(true)), true),
    extension(oid.keyUsage, bits(0x06, 1), true),
    extension(oid.subjectKeyId, octets(keyId(key.spki))),
  ];
  const self = commonName(name);
  return issue({ issuer: self, subject: self, validity, spki: key.spki, extensions, signer: key.pem }, key.pem);
}

/** A certificate for client and server with these DNS names, signed by the authority. */
export function issueCertificate(authority: Issued, names: readonly string[], validity = forDays(730)): Issued {
  const key = keyPair();
  const issuerKey = createPublicKey(authority.privateKey);
  if (issuerKey.asymmetricKeyType !== 'ec') throw new Error('the key of the certificate authority is no EC key');
  const issuerSpki = issuerKey.export({ type: 'spki', format: 'der' });
  const extensions = [
    extension(oid.basicConstraints, sequence(), true),
    extension(oid.keyUsage, bits(0x80, 7), true),
    extension(oid.extendedKeyUsage, sequence(object(oid.serverAuth), object(oid.clientAuth))),
    extension(oid.subjectAltName, sequence(...names.map((name) => der(0x82, Buffer.from(name, 'ascii'))))),
    extension(oid.subjectKeyId, octets(keyId(key.spki))),
    extension(oid.authorityKeyId, sequence(der(0x80, keyId(issuerSpki)))),
  ];
  const [subject = ''] = names;
  const fields = { subject: commonName(subject), validity, spki: key.spki, extensions, signer: authority.privateKey };
  return issue({ ...fields, issuer: subjectOf(authority.certificate) }, key.pem);
}

interface Fields {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly validity: Validity;
  readonly spki: Buffer;
  readonly extensions: readonly Buffer[];
  readonly signer: string;
}

// RFC 5280. DER by hand, since Node signs but makes no certificates, and a library for it brings a dozen packages.
function issue(fields: Fields, privateKey: string): Issued {
  const algorithm = sequence(object(oid.ecdsaWithSha256));
  const content = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(serialNumber()),
    algorithm,
    fields.issuer,
    sequence(time(fields.validity.from), time(fields.validity.until)),
    fields.subject,
    fields.spki,
    der(0xa3, sequence(...fields.extensions)),
  );
  const signature = sign('sha256', content, createPrivateKey(fields.signer));
  const certificate = new X509Certificate(sequence(content, algorithm, bitString(signature)));
  return { certificate: certificate.toString(), privateKey };
}

function keyPair(): { pem: string; spki: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    spki: publicKey.export({ type: 'spki', format: 'der' }),
  };
}

// The first byte keeps the number positive and of full length.
const serialNumber = () => Buffer.concat([Buffer.of(0x40), randomBytes(15)]);
// RFC 5280's own way, so that it is the same in an authority that openssl has made.
const keyId = (spki: Buffer) =>
  createHash('sha1')
    .update(elementsOf(elementsOf(spki)[0])[1]?.content.subarray(1) ?? spki)
    .digest();

const oid = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectKeyId: '551d0e',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  authorityKeyId: '551d23',
  extendedKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
} as const;

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

interface Element {
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** What one element after the other says. */
function elementsOf(outer: Buffer | Element | undefined): Element[] {
  let rest = Buffer.isBuffer(outer) ? outer : (outer?.content ?? Buffer.of());
  const found: Element[] = [];
  while (rest.length > 1) {
    const first = rest[1] ?? 0;
    const more = first < 0x80 ? 0 : first - 0x80;
    const size = more === 0 ? first : rest.readUIntBE(2, more);
    const end = 2 + more + size;
    found.push({ whole: rest.subarray(0, end), content: rest.subarray(2 + more, end) });
    rest = rest.subarray(end);
  }
  return found;
}

function subjectOf(certificate: string): Buffer {
  const content = elementsOf(elementsOf(new X509Certificate(certificate).raw)[0])[0];
  // version, serial number, algorithm, issuer, validity, subject
  const subject = elementsOf(content)[5];
  if (subject === undefined) throw new Error('the certificate of the authority has no subject');
  return subject.whole;
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const boolean = (value: boolean) => der(0x01, Buffer.of(value ? 0xff : 0));
const integer = (value: Buffer) => der(0x02, value);
const octets = (value: Buffer) => der(0x04, value);
const object = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const bitString = (value: Buffer) => der(0x03, Buffer.of(0), value);
const bits = (value: number, unused: number) => der(0x03, Buffer.of(unused, value));
const commonName = (name: string) =>
  sequence(der(0x31, sequence(object(oid.commonName), der(0x0c, Buffer.from(name, 'utf8')))));
const extension = (id: string, value: Buffer, critical = false) =>
  sequence(object(id), ...(critical ? [boolean(true)] : []), octets(value));

/** UTCTime until 2049, GeneralizedTime from then on. */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`;
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : der(0x18, Buffer.from(digits, 'ascii'));
}
