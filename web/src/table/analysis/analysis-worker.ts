import { analyseSituation } from './analyse-hand.ts';
import type { AnalysisInput } from './situations.ts';

// Boards are enumerated here, not in the page's main thread. Each situation is posted as soon as it is computed.
self.addEventListener('message', (event: MessageEvent<AnalysisInput>) => {
  for (const situation of event.data.situations) self.postMessage(analyseSituation(event.data, situation));
});
