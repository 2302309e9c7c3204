import { renderLiveEvents } from '../packages/contracts/src/render-live-events.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/live-events.md: what each message on /ws carries, printed from the contract.

saveGenerated('docs/generated/live-events.md', renderLiveEvents());
