# make setup   an environment in .venv with everything locked     make test      what every change must pass
# make play    the page in the browser (GAME=azul to begin there)  make test-all  the slow tests too
# make bench   how fast rules and search run here                make coverage  which lines of Python no test reaches
# make lock    new versions into the lock                        make test-numba NUMBA=0.60   with another Numba
# make site    the built-in games as a static site in site/       make dist      wheel and sdist in dist/
# make test-dist   them in an empty environment                  make test-newest   with the newest of all that is allowed
# make docs    the documentation as a site in build/docs        make test-firefox   a published game, played in Firefox
# make test-debian   the wheel, the page and a training in a fresh Debian (root, debootstrap); TESTS=all: make test there too
# make torture   an hour of hard trials (MINUTES=10 for less); what failed is repeated by the seed that the table names

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := setup
.PHONY: setup play site photographs docs browser firefox test tests test-all test-firefox test-numba test-newest test-dist test-debian torture dist audit coverage \
	lint style types bench lock clean

# Four workers for two cores, as a test that waits for the browser or a child leaves its core idle. Each takes a stretch
# of the files: a file's server and kernels are made once. Who is done first helps.
# The tests as pytest rewrites them are kept, also where Python is told to keep nothing: that takes every worker seconds.
PYTEST := sh tests/in_memory.sh env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n 4 --dist worksteal

setup: $(READY)

# Made again when the lock or the project's metadata change; otherwise nothing to do.
# --no-deps: the lock is complete. Left to resolve, pip takes the newest of a package that another asks for with extras,
# finds no hash for it, and refuses.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Boardwright needs Python 3.11 or newer; say which: make setup PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	touch $@

play: setup
	$(BIN)/boardwright serve $(GAME)

site: setup
	$(BIN)/boardwright publish --out site

# Every view of the page at three widths, light and dark, for people to look at.
PHOTOGRAPHS ?= ../photographs
photographs: setup browser
	$(BIN)/python -m tests.photograph $(PHOTOGRAPHS)

# A warning, a dead link, or something that a page would load from elsewhere ends it.
docs: setup
	$(BIN)/python docs/site/site_build.py build/docs

# The page is tested in the system's Chromium, which Playwright's Node drives: that needs libatomic, too. Debian's shell without a
# window is the same engine for a quarter less of the processor: it is taken where it is, and installed where nothing is.
browser:
	@{ command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome; } \
		>/dev/null && \
	{ [ "$$(uname)" != Linux ] || PATH="$$PATH:/usr/sbin:/sbin" ldconfig -p | grep -q libatomic.so.1; } || \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && { apt-get install -qq -y chromium-headless-shell libatomic1 || \
			apt-get install -qq -y chromium libatomic1; } >/dev/null; \
	else \
		echo "The tests of the page need Chromium and libatomic: install them (Debian: sudo apt-get install chromium libatomic1)" >&2; \
		exit 1; \
	fi

# One game of a published site is played in Firefox, too.
firefox:
	@command -v firefox-esr >/dev/null || command -v firefox >/dev/null || \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && apt-get install -qq -y firefox-esr >/dev/null; \
	else \
		echo "This test needs Firefox: install it (Debian: sudo apt-get install firefox-esr)" >&2; exit 1; \
	fi

test-firefox: setup firefox
	$(BIN)/python -m pytest tests/test_publish_firefox.py

lint: style types

style: setup
	$(BIN)/ruff check .
	$(BIN)/python tests/suppressions.py src tests docs
	$(BIN)/oxlint --deny-warnings src/boardwright/serve/web src/boardwright/publish/web tests/js

types: setup
	$(BIN)/mypy src tests docs/site $(wildcard docs/examples/*.py docs/tutorial/*.py)

tests: setup
	$(PYTEST) -m "not slow"

# In a fresh clone mypy takes the better part of a minute: it runs beside the tests.
test: style browser
	$(MAKE) --no-print-directory -j 2 types tests

test-all: lint browser firefox
	$(PYTEST) --hypothesis-profile=thorough

# Alone on the machine, for the waits that it measures: kills, full disks, fuzzed inputs, a hundred clients. SEED= for others.
# ONLY=fuzz for one group, ONLY=kill/train for one trial. A failure ends it with a number, after the table.
MINUTES ?= 60
SEED ?= 0
torture: setup
	$(BIN)/python -m tests.torture --minutes $(MINUTES) --seed $(SEED) $(addprefix --only ,$(ONLY))

# Compiled code is invisible to it: the lines of rules and kernels count where a test runs them in the interpreter.
coverage: setup browser
	$(PYTEST) -m "not slow" --cov --cov-report=term-missing:skip-covered

# In an environment and with a cache of its own. A version beyond the bounds of pyproject.toml can be tried as well; pip
# then says that it does not fit, and installs it.
NUMBA ?= 0.60
OTHER := .venv-numba-$(NUMBA)
test-numba:
	$(PYTHON) -m venv $(OTHER)
	$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check --editable . hypothesis pytest
	$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check "numba==$(NUMBA).*"
	BOARDWRIGHT_CACHE=$(OTHER)/cache $(OTHER)/bin/python -m pytest -m "not slow" \
		-k "not azul and not nmbr9 and not gomoku and not 2048" \
		tests/test_numba_internals.py tests/test_cache.py tests/test_cache_shared.py tests/test_contract.py \
		tests/test_mistakes.py tests/test_search_twins.py

# The same tree gives the same bytes: tests/dist.py.
dist: setup
	$(BIN)/python tests/dist.py dist

# The wheel in an environment of its own, with the locked versions; DIST_PYTHON=python3.13 for another Python.
test-dist: setup
	BOARDWRIGHT_DIST_PYTHON=$(DIST_PYTHON) $(BIN)/python -m pytest tests/test_dist.py

# SUITE=trixie or sid for another Python, TESTS=all for `make test` from the sdist: tests/fresh_debian.sh.
SUITE ?= bookworm
test-debian: setup
	sh tests/fresh_debian.sh $(SUITE)

# Not the locked versions, but the newest of all that pyproject.toml allows: run it once a week, and before a release.
NEWEST := .venv-newest
test-newest: browser
	$(PYTHON) -m venv --clear $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager --editable ".[dev]"
	$(NEWEST)/bin/python -m pip list --disable-pip-version-check --outdated
	BOARDWRIGHT_CACHE=$(NEWEST)/cache env -u PYTHONDONTWRITEBYTECODE $(NEWEST)/bin/python -m pytest -n 4 --dist worksteal -m "not slow"

# Known weaknesses of the locked versions; pip-audit, in an environment of its own, asks its service over the network. --strict: a
# package that the service does not know, or that could not be asked for, has not been audited, and that is a failure.
AUDIT := .venv-audit
audit:
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(AUDIT)/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements.lock

bench: setup
	$(BIN)/boardwright bench rules
	$(BIN)/boardwright bench search

# Needs uv (pip install uv). Versions and hashes only: where they come from is the reader's own setting.
lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --custom-compile-command "make lock" --upgrade --quiet -o requirements.lock

clean:
	rm -rf $(VENV) .venv-numba-* $(NEWEST) $(AUDIT) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* \
		src/boardwright.egg-info
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +
