import { useQuery } from '@tanstack/react-query';
import { Loading } from './feedback.tsx';
import { Panel } from './page.tsx';
import './doc.css';

type Props = {
  /** Cache key. */
  name: string;
  /** Fetches the Markdown. */
  load: () => Promise<string>;
  /** Whether the document has formulas in TeX. */
  math?: boolean;
};

/** Shows a document of the repository with its table of contents. */
export function Doc({ name, load, math = false }: Props) {
  const doc = useQuery({
    queryKey: ['docs', name],
    queryFn: async () => {
      const [source, { renderMarkdown }, renderer] = await Promise.all([
        load(),
        import('../lib/render-markdown.ts'),
        math ? import('../lib/render-math.ts') : undefined,
      ]);
      return renderMarkdown(source, renderer?.renderMath);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (doc.isPending) return <Loading inline />;
  if (doc.isError) return <p role="alert">This page could not be loaded. Please reload it.</p>;
  return (
    <div className="doc-layout">
      <Panel>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own file, sanitised by DOMPurify */}
        <article className="doc" dangerouslySetInnerHTML={{ __html: doc.data.html }} />
      </Panel>
      <nav className="doc-contents" aria-label="Contents">
        <h2>Contents</h2>
        <ul>
          {doc.data.headings.map((heading) => (
            <li key={heading.id}>
              <a href={`#${heading.id}`}>{heading.text}</a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
