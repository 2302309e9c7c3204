import { renderPipeline } from '../apps/proxy-runtime/src/render-pipeline.ts';
import { createPipeline } from '../apps/proxy-runtime/src/pipeline.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/pipeline.md: what happens to a request, printed from the pipeline itself.

const pipeline = createPipeline({
  buckets: { take: () => ({ allowed: true, remaining: 0, retryAfterMs: 0 }) },
  maxBodyBytes: 0,
});

saveGenerated('docs/generated/pipeline.md', renderPipeline(pipeline));
