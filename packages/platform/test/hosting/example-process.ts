// Started by tests of the public edge: a service as a process of its own.
import { runProcess } from '../../src/hosting/run-process.ts';
import { createExampleService } from './example-service.ts';

await runProcess({
  name: 'example',
  services: [async () => createExampleService],
  onReady: ({ edge }) => void process.stdout.write(`listening on ${edge?.port}\n`),
});
