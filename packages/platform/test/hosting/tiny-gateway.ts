// Started by run-process.test.ts: a process with one small service on the public port.
import { createHash } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { runProcess } from '../../src/hosting/run-process.ts';
import type { ServiceFactory } from '../../src/service/service.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const [behaviour = ''] = process.argv.slice(2);

const createTinyService: ServiceFactory = ({ config }) => {
  let held: ServerResponse | undefined;
  const answer: RequestListener = (request, response) => {
    if (request.url === '/hold') {
      held = response;
      say('holding');
    } else if (request.url === '/throw') {
      setImmediate(() => {
        throw new Error('a fault of the test');
      });
    } else response.end(createHash('sha256').update(config.JWT_SECRET.reveal()).digest('hex'));
  };
  return {
    name: 'tiny',
    mounts: [{ prefix: '/', http: answer }],
    start: () => Promise.resolve(),
    health: () => ({ status: 'healthy', problems: [] }),
    async [Symbol.asyncDispose]() {
      say('tiny disposed');
      held?.end('late but whole');
      await Promise.resolve();
    },
  };
};

const createFailingService: ServiceFactory = () => ({
  name: 'failing',
  start: () => Promise.reject(new Error('it will not start')),
  health: () => ({ status: 'healthy', problems: [] }),
  [Symbol.asyncDispose]: () => Promise.resolve(say('failing disposed')),
});

await runProcess({
  name: 'gateway',
  standalone: behaviour !== 'services',
  services: (behaviour === 'failing' ? [createTinyService, createFailingService] : [createTinyService]).map(
    (create) => async () => create,
  ),
  isEdge: behaviour === 'edge',
  startsWithoutDatabase: behaviour === 'without database',
  onReady: ({ edge }) => say(`listening on ${edge?.port}`),
});
