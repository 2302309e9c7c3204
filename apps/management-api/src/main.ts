import { runProcess } from '@portcullis/platform/lifecycle/run-process';
import { createManagementService } from './service.ts';

await runProcess({
  name: 'management-api',
  isEdge: true,
  services: [
    async () => (infrastructure) =>
      createManagementService(infrastructure, {
        onFirstAdmin: ({ username, password }) =>
          void process.stdout.write(`First start: sign in as ${username} with the password ${password}\n`),
      }),
  ],
});
