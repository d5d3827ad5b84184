import { analyseSituation } from './analyse-hand.ts';
import type { AnalysisInput } from './situations.ts';

// The page's thread never counts boards: it sends a hand and gets each situation as soon as it is known.
self.addEventListener('message', (event: MessageEvent<AnalysisInput>) => {
  for (const situation of event.data.situations) self.postMessage(analyseSituation(event.data, situation));
});
