import { createPipeline as createHubPipeline } from '../apps/a2a-hub/src/pipeline.ts';
import { renderHubPipeline } from '../apps/a2a-hub/src/render-pipeline.ts';
import { quietHubParts } from '../apps/a2a-hub/test/quiet-hub-parts.ts';
import { renderPipeline } from '../apps/proxy-runtime/src/render-pipeline.ts';
import { createInProcessBuckets } from '../packages/platform/src/coordination/in-process/buckets.ts';
import { unusedParts } from '../apps/proxy-runtime/test/unused-parts.ts';
import { FairShare } from '../packages/platform/src/http/fair-share.ts';
import { createPipeline } from '../apps/proxy-runtime/src/pipeline.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/pipeline.md: what happens to a request, printed from the pipeline itself.

const buckets = createInProcessBuckets();
const pipeline = createPipeline({
  limits: { shared: buckets, local: buckets },
  maxBodyBytes: 0,
  bodyMemory: new FairShare(0),
  analyser: undefined,
  ...unusedParts(),
});

const tables = renderPipeline(pipeline) + renderHubPipeline(createHubPipeline(quietHubParts()));
saveGenerated('docs/generated/pipeline.md', tables);
