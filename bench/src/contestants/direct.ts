import { chatPath, type Contestant } from './contestant.ts';

export const direct: Contestant = {
  name: 'direct',
  description: 'no proxy: the load talks to the upstream',
  open: (rig) =>
    Promise.resolve({ target: { port: rig.upstreamPort, path: chatPath, callers: [{}] }, pid: undefined, facts: [] }),
};
