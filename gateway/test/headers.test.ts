import { execFileSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Koa from 'koa';
import { afterAll, describe, expect, it, test } from 'vitest';
import { headers } from '../src/http/headers.ts';
import { sourceText } from '../src/routes/source-text.ts';

describe('headers', () => {
  const servers: { close: () => void }[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function readFraming(path: string, keycloakUrl?: string) {
    const app = new Koa();
    app.use(headers([], keycloakUrl));
    const server = app.listen(0);
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const ancestors = /frame-ancestors ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];
    return [ancestors, response.headers.get('x-frame-options')];
  }

  describe('framing by other sites', () => {
    it.each(['/embed/replay/0198-1', '/embed/replay/x?step=3&autoplay=1'])('is allowed for %s', async (path) => {
      expect(await readFraming(path)).toEqual(['*', null]);
    });

    it.each([
      '/',
      '/replay/0198-1',
      '/embed/replay/',
      '/embed/replay/1/2',
      '/embed/replay/..%2F..%2Fadmin/x',
      '/x/embed/replay/1',
      '/EMBED/replay/1',
      '/live/game/1',
      '/silent-check-sso.html',
    ])('is refused for %s', async (path) => {
      expect(await readFraming(path)).toEqual(["'none'", 'DENY']);
    });

    it('is limited to the site itself for the check of a Keycloak session', async () => {
      expect(await readFraming('/silent-check-sso.html', 'https://id.example.org/realms/x')).toEqual([
        "'self'",
        'SAMEORIGIN',
      ]);
    });
  });
});

describe('source text', () => {
  const checker = join(import.meta.dirname, '../../services/submission/checker');
  // Every name under which Python knows an accepted encoding, with a file of all its characters of one byte and some of more.
  const program = `
import base64, json, sys
sys.path.insert(0, ${JSON.stringify(checker)})
from encodings.aliases import aliases
from source_text import ENCODINGS, decode_python, decode_requirements, letters
names = {name for name in [*aliases, *aliases.values(), "koi8-u", "latin-1", "iso-8859-15", "utf-8-unix", "utf-8-sig"] if letters(name) in ENCODINGS or "-" in name}
files = []
for name in sorted(names):
    python = "utf-8" if name == "utf-8-unix" else name
    # The kana of Big5 have two orders; Python's is not that of browsers.
    letters_shown = "你好，世界" if name.startswith("big5") else "你好，世界 日本語カード 안녕하세요 카드"
    text = "".join(letter for letter in letters_shown if letter.encode(python, "ignore"))
    for byte in range(32, 256):
        text += "".join(filter(str.isprintable, bytes([byte]).decode(python, "ignore")))
    files.append((name, f"# coding: {name}\\n".encode() + text.encode(python)))
files.append(("second line", "#!/usr/bin/python\\r# coding: latin-1\\r# \\xe9".encode("latin-1")))
files.append(("a mark", b"\\xef\\xbb\\xbf# \\xc3\\xa9"))
shown = [(name, base64.b64encode(file).decode(), decode_python(name, file)) for name, file in files]
for encoding in ("utf-16", "utf-32"):
    file = "numpy\\r\\n# \\xe9\\n".encode(encoding)
    shown.append((encoding, base64.b64encode(file).decode(), decode_requirements(encoding, file)))
json.dump(shown, sys.stdout)
`;

  test('shows files in every accepted encoding as Python reads them', () => {
    const output = execFileSync('python3', ['-I', '-S', '-c', program], { encoding: 'utf8' });
    const files = JSON.parse(output) as [name: string, file: string, text: string][];
    expect(files.length).toBeGreaterThan(80);
    const shown = files.map(([name, file]) => [name, sourceText(Buffer.from(file, 'base64'))]);
    expect(shown).toEqual(files.map(([name, , text]) => [name, text]));
  });
});
