import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/router.tsx';
import './app/tokens.css';
import './app/base.css';
import './app/print.css';
import { followTheme } from './lib/theme.ts';
import { startSession } from './session/session.ts';
import { hasRedirectResult, startSingleSignOn } from './session/single-sign-on.ts';

startSession({ awaitRedirect: hasRedirectResult(window.location.hash) });
startSingleSignOn();
followTheme();

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');
const root = createRoot(container);
// As a transition, the first rendering is split into short tasks.
startTransition(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
