import { tryKubectl } from './cluster.ts';
import { node } from './nodes.ts';
import type { Step } from './steps.ts';

/** A second node on this machine. */
export const nodeSteps: Step[] = [
  {
    name: 'nodes: a second node in a zone of its own is ready and has the images',
    needed: true,
    minutes: 10,
    async run() {
      if (!(await node('list')).split('\n').includes('node2')) await node('add', 'node2', '--zone', 'zone2');
      await node('images', 'node2');
      return tryKubectl('get', 'nodes', '--no-headers').text.replaceAll(/\s+/g, ' ');
    },
  },
];
