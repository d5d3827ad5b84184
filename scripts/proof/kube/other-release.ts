import { Api } from '../../demo/api.ts';
import { kubectl, namespace, services, waitForRollout, waitUntil } from './cluster.ts';

/** A release beside the one of the other steps, in namespaces of its own. */
export class OtherRelease {
  readonly name: string;
  readonly namespace: string;
  readonly runnersNamespace: string;

  constructor(name: string) {
    this.name = name;
    this.namespace = `${namespace}-${name}`;
    this.runnersNamespace = `${this.namespace}-runners`;
  }

  /** Returns the gateway's address in the cluster. */
  async origin(): Promise<string> {
    const path = 'jsonpath={.spec.clusterIP}';
    return `http://${await kubectl('-n', this.namespace, 'get', 'service', `${this.name}-gateway`, '-o', path)}`;
  }

  /** Returns the administrator's password from the secret of the installation. */
  async readPassword(): Promise<string> {
    const path = 'jsonpath={.data.password}';
    const secret = await kubectl('-n', this.namespace, 'get', 'secret', `${this.name}-admin`, '-o', path);
    return Buffer.from(secret, 'base64').toString('utf8');
  }

  /** Signs the administrator in, as soon as the release can, and waits for three runners that have requested work. */
  async waitUntilUsable(password: string): Promise<Api> {
    const anonymous = new Api(await this.origin());
    const session = await waitUntil(
      'the sign-in of the administrator',
      60,
      () => anonymous.post<{ access_token: string }>('/auth/login', { username: 'admin', password }),
      () => true,
    );
    const admin = anonymous.as(session.access_token);
    await waitUntil(
      'three idle runners',
      240,
      () => admin.get<{ data: { idle_containers: unknown[] } }>('/docker/pool/detailed'),
      ({ data }) => data.idle_containers.length === 3,
      1000,
    );
    return admin;
  }

  /** Waits until all Jobs have succeeded and all Deployments have the pods of this tag. */
  async waitUntilComplete(tag: string): Promise<void> {
    await kubectl('-n', this.namespace, 'wait', 'job', '--all', '--for=condition=Complete', '--timeout=110s');
    for (const service of services) {
      const deployment = `deployment/${this.name}-${service}`;
      await waitForRollout(this.namespace, deployment);
      const path = 'jsonpath={.spec.template.spec.containers[0].image}';
      const image = await kubectl('-n', this.namespace, 'get', deployment, '-o', path);
      if (!image.endsWith(`:${tag}`)) throw new Error(`${service} has the image ${image}`);
    }
  }

  /** Deletes everything, whether Helm has installed it or not. */
  async remove(): Promise<void> {
    await kubectl('delete', 'namespace', this.namespace, this.runnersNamespace, '--ignore-not-found', '--timeout=110s');
    const scoped = [
      'validatingadmissionpolicy',
      'validatingadmissionpolicybinding',
      'clusterrole',
      'clusterrolebinding',
      'priorityclass',
    ];
    await kubectl('delete', scoped.join(','), '-l', `app.kubernetes.io/instance=${this.name}`, '--ignore-not-found');
  }
}
