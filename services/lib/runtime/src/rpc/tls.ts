import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type ChannelCredentials, experimental, type ServerCredentials } from '@grpc/grpc-js';
import { metrics } from '@opentelemetry/api';
import { messageOf } from './errors.ts';

/** Credentials for mutual TLS of a process's gRPC server and clients. */
export interface Tls {
  readonly server: ServerCredentials;
  readonly client: ChannelCredentials;
}

interface Certificates {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly caCertificate: Buffer;
  readonly endsAtMs: number;
}

const pollMs = 5000;

/**
 * Creates credentials from the PEM files of a folder, named as in a Kubernetes secret, which are polled every 5 s: a changed set is used for new connections, an unusable one
 * is ignored. Throws when the files are unusable at the start. Returns undefined without a folder (plaintext).
 */
export function openTls(folder: string | undefined, everyMs = pollMs): Tls | undefined {
  if (folder === undefined) return undefined;
  const provider = new CertificateFiles(folder, everyMs);
  return {
    server: experimental.createCertificateProviderServerCredentials(provider, provider, true),
    client: experimental.createCertificateProviderChannelCredentials(provider, provider),
  };
}

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/** Keeps the last usable set of files. Used in place of grpc-js's watcher, which accepts half-written files. */
class CertificateFiles implements experimental.CertificateProvider {
  readonly #folder: string;
  readonly #everyMs: number;
  readonly #caListeners = new Set<CaListener>();
  readonly #identityListeners = new Set<IdentityListener>();
  #current: Certificates;
  #timer: NodeJS.Timeout | undefined;
  #problem = '';
  #warned = false;

  constructor(folder: string, everyMs: number) {
    this.#folder = folder;
    this.#everyMs = everyMs;
    this.#current = readCertificates(folder);
    metrics
      .getMeter('husky.tls')
      .createObservableGauge('tls.certificate.left', { unit: 's', description: 'Time until the certificate expires' })
      .addCallback((gauge) => gauge.observe(Math.round((this.#current.endsAtMs - Date.now()) / 1000)));
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#caListeners.add(listener);
    this.#watch();
    process.nextTick(() => listener(this.#current));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#caListeners.delete(listener);
    this.#watch();
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener);
    this.#watch();
    process.nextTick(() => listener(this.#current));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener);
    this.#watch();
  }

  #watch(): void {
    const inUse = this.#caListeners.size + this.#identityListeners.size > 0;
    if (inUse && this.#timer === undefined) {
      this.#poll();
      this.#timer = setInterval(() => this.#poll(), this.#everyMs).unref();
    } else if (!inUse) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #poll(): void {
    try {
      const read = readCertificates(this.#folder);
      this.#problem = '';
      const parts = ['certificate', 'privateKey', 'caCertificate'] as const;
      if (parts.every((part) => read[part].equals(this.#current[part]))) return;
      this.#current = read;
    } catch (error) {
      this.#report(messageOf(error));
      return;
    }
    for (const listener of this.#caListeners) listener(this.#current);
    for (const listener of this.#identityListeners) listener(this.#current);
  }

  /** Warns once about a problem that two successive polls have found. A file that was being written is usable at the second poll. */
  #report(problem: string): void {
    if (problem !== this.#problem) {
      this.#problem = problem;
      this.#warned = false;
    } else if (!this.#warned) {
      this.#warned = true;
      process.emitWarning(`${problem}; the previous content stays in use`);
    }
  }
}

function readCertificates(folder: string): Certificates {
  const read = <T>(name: string, work: (content: Buffer) => T): T => {
    const file = join(folder, name);
    try {
      return work(readFileSync(file));
    } catch (error) {
      throw new Error(`the TLS file ${file} cannot be used: ${messageOf(error)}`);
    }
  };
  const unchanged = (content: Buffer) => content;
  const certificate = read('tls.crt', unchanged);
  const endsAtMs = read('tls.crt', (content) => {
    const [own] = certificatesIn(content);
    if (own === undefined) throw new Error('it holds no certificate');
    const [begins, ends] = [Date.parse(own.validFrom), Date.parse(own.validTo)];
    if (begins > Date.now()) throw new Error(`its certificate holds from ${new Date(begins).toISOString()} on`);
    if (ends < Date.now()) throw new Error(`its certificate ended at ${new Date(ends).toISOString()}`);
    return ends;
  });
  const privateKey = read('tls.key', (key) => {
    createSecureContext({ cert: certificate, key });
    return key;
  });
  const caCertificate = read('ca.crt', (content) => {
    if (certificatesIn(content).length === 0) throw new Error('it holds no certificate');
    return content;
  });
  return { certificate, privateKey, caCertificate, endsAtMs };
}

/** Returns the certificates of a PEM file; throws when one is incomplete or not a certificate. */
function certificatesIn(content: Buffer): X509Certificate[] {
  const text = content.toString('latin1');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length !== text.split('-----BEGIN ').length - 1) throw new Error('it is cut off, or not all certificates');
  return blocks.map((block) => new X509Certificate(block));
}
