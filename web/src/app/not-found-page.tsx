import { ButtonLink } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { usePageTitle } from '../components/page.tsx';

export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <Notice title="Page not found" code="404">
      <p>No page lives at this address. It may have moved, or the link may be mistyped.</p>
      <ButtonLink to="/">Go to Home</ButtonLink>
    </Notice>
  );
}
