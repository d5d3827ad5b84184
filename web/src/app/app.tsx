import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { Toasts } from '../components/toasts.tsx';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { SessionEndedDialog } from './session-ended-dialog.tsx';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SessionEndedDialog />
      <Toasts />
    </QueryClientProvider>
  );
}
