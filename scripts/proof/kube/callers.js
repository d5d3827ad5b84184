// Runs in a pod: connects to the services as several callers. Arguments as JSON: {service: address}, {cert, key} issued by
// another CA. Prints {caller: [services that accepted the connection]}.
import { readFileSync } from 'node:fs';
import { Client, credentials } from '@grpc/grpc-js';

const [addresses, foreign] = process.argv.slice(1).map((text) => JSON.parse(text));
const file = (name) => readFileSync(`/etc/husky/tls/${name}`);
const ca = file('ca.crt');
const own = credentials.createSsl(ca, file('tls.key'), file('tls.crt'));

const callers = {
  'a part of the platform': [own],
  'a part that expects another name': [own, 'gateway'],
  'without a certificate': [credentials.createSsl(ca)],
  'with a certificate of another CA': [
    credentials.createSsl(ca, Buffer.from(foreign.key), Buffer.from(foreign.cert)),
  ],
  'in plaintext': [credentials.createInsecure()],
};

/** Returns whether the service accepts a connection with these credentials, verified for this name. */
async function canConnect(service, address, [caller, name = service]) {
  const client = new Client(address, caller, { 'grpc.ssl_target_name_override': name });
  const ready = await new Promise((resolve) => {
    client.waitForReady(Date.now() + 5000, (error) => resolve(error === undefined));
  });
  client.close();
  return ready;
}

const result = {};
await Promise.all(
  Object.entries(callers).map(async ([description, caller]) => {
    const accepted = await Promise.all(
      Object.entries(addresses).map(async ([service, address]) =>
        (await canConnect(service, address, caller)) ? [service] : [],
      ),
    );
    result[description] = accepted.flat();
  }),
);
process.stdout.write(JSON.stringify(result));
