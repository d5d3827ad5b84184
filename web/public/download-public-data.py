"""Downloads the public matches of a Husky Hold'em site, with the standard library alone.

usage: python3 download-public-data.py ORIGIN FOLDER [MATCH_ID...]

Writes FOLDER/<match id>/match.json, performance.json and hand-<n>.json. Without match ids: all public matches. What is
there already is not fetched again, so an interrupted download goes on where it ended.
"""

import json
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

PAGE_SIZE = 500


def get(url):
    """Fetches JSON. Retries after Retry-After on 429 and 503; exits on any other error."""
    while True:
        try:
            request = urllib.request.Request(url, headers={"Accept": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise SystemExit(f"{url} answered {error.code}: {error.read().decode(errors='replace')[:300]}")
            time.sleep(float(error.headers.get("Retry-After") or 5))


def pages(url, key):
    """Yields the items of a paged list; `key` names the list in the response."""
    page = 1
    while True:
        body = get(f"{url}?page={page}&page_size={PAGE_SIZE}")
        yield from body[key]
        if not body["has_next"]:
            return
        page += 1


def save(path, url):
    """Saves the JSON of a URL. Keeps an existing file. A file is never left incomplete."""
    if path.exists():
        return
    part = path.with_suffix(".part")
    part.write_text(json.dumps(get(url)))
    part.rename(path)


def main(origin, folder, *match_ids):
    """Downloads the given matches, or all public ones, into the folder."""
    origin = origin.rstrip("/")
    matches = match_ids or [job["job_id"] for job in pages(f"{origin}/live/public-job-ids/paginated", "jobs")]
    for number, match_id in enumerate(matches, 1):
        target = Path(folder) / match_id
        target.mkdir(parents=True, exist_ok=True)
        save(target / "match.json", f"{origin}/sim/status/{match_id}")
        save(target / "performance.json", f"{origin}/live/job/{match_id}/user-performance")
        hands = list(pages(f"{origin}/live/job/{match_id}/games/paginated", "games"))
        for hand in hands:
            save(target / f"hand-{hand['game_uuid']}.json", f"{origin}/live/game/{hand['game_id']}")
        print(f"{number} of {len(matches)}: {match_id}, {len(hands)} hands", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
