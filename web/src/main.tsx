import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './app/tokens.css';
import './app/fonts.css';
import './app/base.css';
import { startSession } from './lib/session.ts';
import { bringsAnswer, startSingleSignOn } from './lib/single-sign-on.ts';

startSession({ answer: bringsAnswer(window.location.hash) });
startSingleSignOn();

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');
createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
