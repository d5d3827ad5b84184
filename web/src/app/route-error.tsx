import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { usePageTitle } from '../components/page.tsx';
import { NotFoundPage } from './notices.tsx';

/** Shows the error of a page between the navigation bar and the footer. Error boundary of every page. */
export function RouteError() {
  const error = useRouteError();
  usePageTitle('Something went wrong');
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  const outdated = error instanceof TypeError && /import/i.test(error.message);
  return (
    <Notice title="Something went wrong">
      <p role="alert">
        {outdated
          ? 'This page could not be loaded. The site may have been updated, or your connection was interrupted. Reload the page.'
          : 'An error occurred on this page. Reload the page to continue.'}
      </p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Notice>
  );
}
