# Everything here needs only python3, python3-venv and make; the rest it installs into .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
NAMES   = $(VENV)/names
ARGS   ?=
MPF    ?=
BENCHMARKS = edge_to_light ball_to_light longest clock noise replay restart pythons hexalma hexel bad_santa

# Tests start many programs: what is compiled is kept, also where the shell says otherwise.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-long test-browser test-foreign test-vm test-faults test-install check format bench structure site lock hardware release clean names

run: $(VENV)/.run ## a simulated board in the browser
	@$(BIN)/hexboard run --simulate $(ARGS)

test: $(VENV)/.test ## four at a time, for much of it is waiting: all tests but the browser's and the long ones, two minutes
	@$(BIN)/python -m pytest -m "not long" --ignore tests/browser -n 4 --dist worksteal $(ARGS)

test-long: $(VENV)/.test ## what proves by numbers, and what alone takes half a second: ten minutes
	@$(BIN)/python -m pytest -m "long and not foreign" --ignore tests/browser -n 4 --dist worksteal $(ARGS)

test-foreign: $(VENV)/.test ## what other people's programs read, each fetched from its registry: Home Assistant, a viewer's libraries
	@$(BIN)/python -m pytest -m foreign $(ARGS)

test-browser: $(VENV)/.browser ## the page in a real Chromium (Debian: apt install chromium-headless-shell, or chromium: twice as slow)
	@$(BIN)/python -m pytest -m browser -n 3 --dist worksteal $(ARGS)

test-vm: $(VENV)/.vm ## pins, USB, a camera and the services of two boards under a real kernel and systemd in QEMU (it says which Debian packages it lacks)
	@$(BIN)/python -m tests.vm $(ARGS)

test-faults: $(VENV)/.test ## what goes wrong on an evening, some 400 times: half an hour
	@$(BIN)/python -m tests.benchmarks.faults $(ARGS)

test-install: $(VENV)/.test ## bookworm and trixie from nothing to a green doctor, brought up to date, taken away (root, debootstrap)
	@$(BIN)/python -m tests.blank $(ARGS)

check: $(VENV)/.test names ## what must be green: style, types, import rules, tests
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@PYTHONPATH=$(NAMES) $(BIN)/lint-imports --no-cache >$(VENV)/imports.txt || { cat $(VENV)/imports.txt; exit 1; }
	@$(MAKE) --no-print-directory test

# mypy and import-linter read folders: here `controller/` and `calibration/` bear the names they have
# as packages (setup.py).
names:
	@rm -rf $(NAMES) && mkdir -p $(NAMES)/hexboard
	@ln -s $(CURDIR)/controller/* $(CURDIR)/calibration $(NAMES)/hexboard/

format: $(VENV)/.test
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

# What they are beside others is told where those are there: .venv/bin/pip install -e '.[bench]', and
# MPF=PYTHON: one that has Mission Pinball Framework (see tests/benchmarks/mpf.py). Others that are on that
# page by themselves: `tests.benchmarks.figures vision_naive`, `phones`, `archive`.
bench: $(VENV)/.test ## the figures, in about ten minutes, into docs/figures.md: latency, clock, noise, replay, games
	@for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m tests.benchmarks.figures $$name || exit; done
	@$(if $(MPF),echo "== mpf"; $(BIN)/python -m tests.benchmarks.figures mpf --peer $(MPF))

structure: $(VENV)/.test ## how it is put together: rooms, arrows, circles, floors, sizes
	@$(BIN)/python -m tests.benchmarks.structure $(ARGS)

site: $(VENV)/.site ## the documentation as a site, build/site, and as one PDF (Debian: apt install chromium)
	@rm -rf build/pages build/site && mkdir -p build/pages
	@cp -R README.md CONTRIBUTING.md CHANGELOG.md docs hardware build/pages
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet -f docs/site/mkdocs.yml
	@chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --virtual-time-budget=20000 \
	    --print-to-pdf=build/site/hexboard.pdf file://$(CURDIR)/build/site/print_page.html 2>build/chromium.txt \
	    || { cat build/chromium.txt; exit 1; }
	@echo "build/site/index.html, and build/site/hexboard.pdf to print"

# One file for every Pi, and what a camera needs beside it. For bookworm's Python and all newer ones.
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
    --generate-hashes --no-annotate --custom-compile-command "make lock" --extra pi --extra firmware

# What a checkout installs here (`tests/lock.txt`), in these versions alone; of that file's hashes an
# editable install can make no use.
LOCKED = sed 's/ *\\$$//; /^ *--hash/d' tests/lock.txt >$(VENV)/versions.txt
INSTALL = $(LOCKED) && $(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(VENV)/versions.txt

lock: $(VENV)/.test ## the newest versions of what hardware/install.sh and a checkout install, with their hashes
	@$(LOCK) -o hardware/lock.txt
	@$(LOCK) --extra vision -c hardware/lock.txt -o hardware/lock-camera.txt \
	    $$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' hardware/lock.txt)
	@$(LOCK) --extra simulate --extra vision --extra test --extra browser --extra vm --extra site --extra release -o tests/lock.txt

hardware: $(VENV)/.test ## what every board is built from, into build/hardware: three minutes, then what has changed (Debian: apt install kicad ngspice libgl1)
	@$(BIN)/python -m tests.hardware $(ARGS)

release: $(VENV)/.release ## wheel and sdist into dist/, checked, with what is in them (SBOM), under which licences, and the boards' hardware
	@$(BIN)/python -m tests.release $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info

$(VENV)/.run: pyproject.toml setup.py tests/lock.txt
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing hexboard into $(VENV) …"
	@$(INSTALL) -e '.[simulate,vision]'
	@touch $@

$(VENV)/.test: $(VENV)/.run
	@$(INSTALL) -e '.[test]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade \
	    --target $(VENV)/micropython-stubs micropython-rp2-stubs==1.29.0.post1
	@touch $@

$(VENV)/.release: $(VENV)/.test
	@$(INSTALL) -e '.[test,release]'
	@touch $@

$(VENV)/.vm: $(VENV)/.test
	@$(INSTALL) -e '.[test,vm]'
	@touch $@

$(VENV)/.site: $(VENV)/.test
	@$(INSTALL) -e '.[test,site]'
	@touch $@

$(VENV)/.browser: $(VENV)/.test
	@$(INSTALL) -e '.[test,browser]'
	@touch $@
