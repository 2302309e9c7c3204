import { runProcess } from '@portcullis/platform/hosting/run-process';

await runProcess({
  name: 'management-api',
  isEdge: true,
  services: [
    async () => {
      const { createManagementService } = await import('./service.ts');
      return (infrastructure) =>
        createManagementService(infrastructure, {
          onFirstAdmin: ({ username, password }) =>
            void process.stdout.write(`First start: sign in as ${username} with the password ${password}\n`),
        });
    },
  ],
});
