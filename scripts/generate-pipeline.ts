import { renderPipeline } from '../apps/proxy-runtime/src/render-pipeline.ts';
import { createInProcessBuckets } from '../packages/platform/src/coordination/in-process/buckets.ts';
import { createPipeline } from '../apps/proxy-runtime/src/pipeline.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/pipeline.md: what happens to a request, printed from the pipeline itself.

const buckets = createInProcessBuckets();
const guardrails = {
  desk: { ask: () => Promise.resolve(undefined), watch: () => undefined },
  appendLate: () => undefined,
};
const pipeline = createPipeline({ buckets, localBuckets: buckets, maxBodyBytes: 0, analyser: undefined, guardrails });

saveGenerated('docs/generated/pipeline.md', renderPipeline(pipeline));
