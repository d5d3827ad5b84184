// `make kube-chaos`: injects faults into a release with two replicas of each service on the cluster of `make kube-up`. NODES=2 adds a second
// node, which can be disconnected. NATS=1 runs one NATS server instead of three. The other variables are those of `make chaos`.
import { runChaos } from '../chaos/driver.ts';
import { kubeconfig, ownCluster, stopAll, tryKubectl } from '../kube/cluster.ts';
import { cluster } from './release.ts';

if (!ownCluster || !tryKubectl('get', '--raw', '/readyz').ok) {
  process.stderr.write(`There is no cluster of make kube-up at ${kubeconfig}: run make kube-up kube-images first.\n`);
  process.exitCode = 2;
} else {
  await runChaos(cluster).finally(stopAll);
}
