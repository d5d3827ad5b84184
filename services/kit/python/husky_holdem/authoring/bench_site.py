"""The part of a benchmark on a site: accounts, uploads, the batch, its standings, citation and export. Each step is done once."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from husky_holdem.authoring.bench_plan import Bench
from husky_holdem.authoring.model import take_secret
from husky_holdem.authoring.publish import publish
from husky_holdem.authoring.upload import upload_once
from husky_holdem.credentials import Login, parse_token
from husky_holdem.files import atomic_file, write_json
from husky_holdem.output import EXIT_SIGNED_OUT, EXIT_SITE, Failure, Output
from husky_holdem.site import Refusal, Site

PASSWORD = "HUSKY_ADMIN_PASSWORD"
_POLL_SECONDS = 2.0
_MIN_USERS = 6


class BenchSite:
    """A site with its state in site.json of the benchmark's folder."""

    def __init__(self, origin: str, folder: Path, out: Output) -> None:
        self._origin = origin
        self._out = out
        self._file = folder / "site.json"
        self._secrets = folder / "accounts.json"
        self.state: dict[str, Any] = _read(self._file) or {"site": origin, "users": {}, "batch_key": secrets.token_hex(16), "batch_id": None}
        if self.state["site"] != origin:
            raise Failure(f"{self._file} is of {self.state['site']}: name another folder with --out")

    def sign_in_admin(self, username: str) -> Site:
        """Returns the site in an admin's session. Raises Failure."""
        password = take_secret(PASSWORD)
        if not password:
            raise Failure(f"set {PASSWORD} for the admin {username}; make up prints where it is", EXIT_SIGNED_OUT)
        site = self._session(username, password)
        if not site.get("/auth/whoami")["admin"]:
            raise Failure(f"{username} is no admin of {self._origin}", EXIT_SIGNED_OUT)
        return site

    def upload(self, bench: Bench, folder: Path, summaries: Mapping[str, Any], admin: Site | None) -> None:
        """Uploads each bot as the final submission of its user: that of its token, or one that is registered and verified by the admin."""
        for name, model in bench.bots():
            if not summaries[name].get("best"):
                continue
            if model.tokens:
                variable = model.tokens[int(name.rsplit("-", 1)[1]) - 1]
                token = take_secret(variable)
                if not token:
                    raise Failure(f"{name} needs an access token: set {variable}", EXIT_SIGNED_OUT)
                site = Site(Login(self._origin, parse_token(token)), self._out.note)
            elif admin is not None:
                site = self._user(name, admin)
            else:
                raise Failure(f"{name} has no account: name tokens of its model, or --admin on a site of your own")
            submission = upload_once(folder / "bots" / name, site, self._out, final=True)
            if bench.publish:
                publish(folder / "bots" / name, submission, bench.publish, site)
            self.state["users"][name] = site.username()
            self._save()
            self._out.line(f"{name}: uploaded as {site.username()}")

    def start(self, bench: Bench, metadata: Callable[[Mapping[str, str]], Mapping[str, Any]], admin: Site) -> None:
        """Starts the batch of all uploaded bots unless it was started, and stores its metadata."""
        users = list(self.state["users"].values())
        if len(users) < _MIN_USERS:
            raise Failure(f"a batch needs {_MIN_USERS} bots, not {len(users)}: raise repetitions, or add models")
        if self.state["batch_id"] is None:
            body = {"public": True, **bench.batch, "users_list": users}
            # The key is on disk before the call, so a batch is started once.
            self._save()
            self.state["batch_id"] = admin.post("/llm/batch-run", body, self.state["batch_key"])["batch_id"]
            self._save()
        admin.post(f"/llm/batch/{self.state['batch_id']}/metadata", metadata(self.state["users"]))

    def wait(self, admin: Site) -> dict[str, Any]:
        """Waits for the end of the batch and for its standings without luck. Returns both. Raises Failure."""
        path = f"/llm/batch/{self.state['batch_id']}"
        batch = admin.get(path)
        with self._out.progress("batch", batch["total_jobs"]) as bar:
            while True:
                counts = batch["job_statuses"]
                bar.update(counts["FINISHED"] + counts["FAILED"], batch["total_jobs"])
                if batch["state"] in ("Failed", "Cancelled"):
                    raise Failure(f"the batch has ended: {batch['problem'] or batch['state']}", EXIT_SITE)
                if batch["generated_jobs"] == batch["total_jobs"] > 0 and counts["PENDING"] + counts["RUNNING"] == 0:
                    break
                time.sleep(_POLL_SECONDS)
                batch = admin.get(path)
        number = batch["batch_number"]
        while (standings := admin.get("/live/standings", {"batch": number}))["state"] == "computing":
            time.sleep(_POLL_SECONDS)
        return {"batch": batch, "standings": standings}

    def export(self, number: int, folder: Path, admin: Site) -> None:
        """Writes citation.json and export.zip of the batch."""
        write_json(folder / "citation.json", admin.get(f"/batches/{number}/citation"))
        if (folder / "export.zip").exists():
            return
        export = admin.post(f"/batches/{number}/exports", {})
        while export["state"] in ("waiting", "running"):
            time.sleep(_POLL_SECONDS)
            export = admin.get(f"/live/exports/{export['id']}")
        if export["state"] != "ready":
            raise Failure(f"the export of batch {number} {export['state']}: {export.get('problem')}", EXIT_SITE)
        with atomic_file(folder / "export.zip") as file:
            for part in admin.download(f"/live/exports/{export['id']}/download", {}):
                file.write(part)

    def _user(self, name: str, admin: Site) -> Site:
        """Returns the site in the session of a bot's user, whom it registers and verifies if needed. The password is in accounts.json."""
        known = _read(self._secrets) or {}
        if name not in known:
            known[name] = secrets.token_urlsafe(18)
            write_json(self._secrets, known, private=True)
        account = {"username": name, "password": known[name]}
        try:
            visitor = Site(Login(self._origin, ""), self._out.note)
            visitor.post("/auth/register", {**account, "email": f"{name}@bench.invalid", "about": "A bot by a language model."})
        except Refusal as refusal:
            if refusal.status not in (400, 409):
                raise
        try:
            site = self._session(name, known[name])
        except Refusal as refusal:
            raise Failure(f"the user {name} of {self._origin} is not of this benchmark ({refusal}): give its model another label", EXIT_SIGNED_OUT) from None
        if not site.get("/auth/whoami")["is_verified"]:
            admin.post(f"/admin/verify-user/{name}", {"is_verified": True})
        return site

    def _session(self, username: str, password: str) -> Site:
        visitor = Site(Login(self._origin, ""), self._out.note)
        session = visitor.post("/auth/login", {"username": username, "password": password})
        return Site(Login(self._origin, session["access_token"], username), self._out.note)

    def _save(self) -> None:
        write_json(self._file, self.state)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    except FileNotFoundError:
        return None
    except ValueError:
        raise Failure(f"{path} is damaged") from None
