import { useNavigate } from 'react-router';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { usePageTitle } from '../components/page.tsx';

export function AccessDenied() {
  usePageTitle('Access Denied');
  const navigate = useNavigate();
  const goBack = () => {
    // A page opened in a new tab has nothing before it.
    if (window.history.length > 1) void navigate(-1);
    else void navigate('/');
  };
  return (
    <Notice title="Access Denied" code="403">
      <p>You don't have admin privileges to access this page</p>
      <Button onClick={goBack}>Go Back</Button>
    </Notice>
  );
}
