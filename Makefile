# The verbs. `make run` and `make test` set up what they need on a Debian machine with a Swift toolchain.
RECORDING ?=
SECONDS ?=
RECORDINGS ?= ../shared/recordings
HA_LAB ?= ../shared/labs/home-assistant
HA_SUITE ?= forky
IIO_LAB ?= ../shared/labs/iio
VM_LAB ?= ../shared/labs/vm
CASES ?=
KILLS ?= 1000
CUTS ?=
PAHO ?=
RUNS ?= 20000
PROGRAM := .build/release/steps2mqtt
# Where the Python publisher of `make bench` lives; once it is there, each bench measures it.
PAHO_HOME := .build/paho
STATIC := .build-static/release/steps2mqtt
DESTDIR ?=

.PHONY: help run static install test soak lint format bench accuracy train test-ha test-iio test-service test-power embedded fuzz asan tsan docs clean setup release

help:
	@echo 'make run [RECORDING=walk.csv] [SECONDS=20]   a broker, the agent on a walk, and what a subscriber sees'
	@echo 'sudo make install [DESTDIR=…]   program, service, rules and a configuration, for systemd; the program is built before'
	@echo 'make test       every test, and 20,000 random courses of the agent in a virtual world'
	@echo 'make soak       a million random courses; a failing seed is printed: simulate --seed N tells its story;'
	@echo '                then a week day by day, kill -9 [KILLS=1000] times and 10 million runs of the fuzzer'
	@echo 'make lint       format, imports, doc comments and pages, the engine for microcontrollers'
	@echo 'make format     puts the sources into shape'
	@echo 'make bench [PAHO=1]   speed and footprint, as ratios in one run; PAHO=1 fetches paho-mqtt from PyPI to compare with'
	@echo 'make accuracy   steps and activities against recordings with known truth'
	@echo 'make train      trains the engine anew on the recordings, and validates it'
	@echo 'make test-ha    against the real Home Assistant, where its lab is set up'
	@echo 'make test-iio [CASES="hid gap"]   against the kernel'\''s real accelerometer drivers, where their lab is'
	@echo 'make embedded   the engine for microcontrollers and pages: sizes, and the same steps on every recording'
	@echo 'make test-service  the systemd unit in a booted Debian whose clock is set, too, where its lab is set up'
	@echo 'make test-power [CUTS="7 11 16"]   cuts the power of a booted Debian while the agent writes, after so many seconds'
	@echo 'make fuzz [RUNS=20000]   the command parser and the configuration reader, with libFuzzer'
	@echo 'make asan tsan  the tests under the address and the thread sanitizer'
	@echo 'make docs       the pages of the libraries for Swift developers (DocC), where the toolchain has docc'
	@echo 'make clean      removes what was built'

setup:
	@sh .ci/setup

release: setup
	swift build -c release --product steps2mqtt

run: release
	@exec $(PROGRAM) demo $(if $(RECORDING),--recording '$(RECORDING)') $(if $(SECONDS),--seconds $(SECONDS))

# A program that runs without the toolchain.
static: setup
	swift build -c release --static-swift-stdlib --product steps2mqtt --scratch-path .build-static

# Root installs what a user has built; a configuration that is there stays.
install:
	@[ -x $(STATIC) ] || { echo "first, as the user who builds: make static"; exit 1; }
	install -D -m 755 $(STATIC) '$(DESTDIR)/usr/bin/steps2mqtt'
	install -D -m 644 deploy/steps2mqtt.service '$(DESTDIR)/etc/systemd/system/steps2mqtt.service'
	install -D -m 644 deploy/steps2mqtt.sysusers '$(DESTDIR)/etc/sysusers.d/steps2mqtt.conf'
	install -D -m 644 deploy/steps2mqtt.modules-load '$(DESTDIR)/etc/modules-load.d/steps2mqtt.conf'
	install -D -m 644 -t '$(DESTDIR)/etc/udev/rules.d' deploy/60-steps2mqtt-iio.rules deploy/60-steps2mqtt-input.rules
	[ -e '$(DESTDIR)/etc/steps2mqtt/steps2mqtt.yaml' ] || \
	install -D -m 644 Config/steps2mqtt.yaml '$(DESTDIR)/etc/steps2mqtt/steps2mqtt.yaml'
	@echo 'Next: edit /etc/steps2mqtt/steps2mqtt.yaml, then'
	@echo '  systemd-sysusers && udevadm control --reload && udevadm trigger'
	@echo '  steps2mqtt check --config /etc/steps2mqtt/steps2mqtt.yaml'
	@echo '  systemctl daemon-reload && systemctl enable --now steps2mqtt'

# The tests with real processes come alone, since they live by the clock of the machine.
test: setup
	swift test --skip EndToEndTests
	swift test --skip-build --filter EndToEndTests
	swift build -c release --product simulate
	.build/release/simulate --seeds 20000

soak: setup
	swift build -c release --product simulate
	.build/release/simulate --seeds 1000000
	swift build -c release --product steps2mqtt
	swift build -c release --product bench
	.build/release/bench week
	STEPS_KILLS=$(KILLS) swift test --filter 'EndToEndTests.CrashTests'
	@sh .ci/fuzz 10000000

lint: setup
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples
	sh .ci/check-imports
	sh .ci/docs
	sh .ci/check-embedded

format: setup
	swift format format --in-place --recursive --parallel Package.swift Sources Tests Examples

bench: release
	swift build -c release --product bench
	swift build -c release --product accuracy
	@[ -z '$(PAHO)' ] || [ -x $(PAHO_HOME)/bin/python3 ] || python3 -m venv $(PAHO_HOME)
	@[ -z '$(PAHO)' ] || $(PAHO_HOME)/bin/pip install --quiet paho-mqtt
	@PATH="$(CURDIR)/$(PAHO_HOME)/bin:$$PATH" .build/release/bench
	@sh Tests/Accuracy/instructions

accuracy: setup
	swift build -c release --product accuracy
	@.build/release/accuracy report '$(RECORDINGS)'

# Writes Sources/Motion/Weights.swift and PauseWeights.swift anew; needs Python with numpy and scikit-learn.
train: setup
	swift build -c release --product accuracy
	python3 Tests/Accuracy/train.py --tool .build/release/accuracy --recordings '$(RECORDINGS)'
	python3 Tests/Accuracy/train_pauses.py --tool .build/release/accuracy --recordings '$(RECORDINGS)'

test-ha: release
	@Tests/HomeAssistant/run '$(HA_LAB)' '$(HA_SUITE)' $(PROGRAM)

test-iio: release
	@Tests/IIO/run '$(IIO_LAB)' $(PROGRAM) $(CASES)

embedded: release
	sh .ci/check-embedded $(PROGRAM) $(wildcard $(RECORDINGS))

# The program runs on a Debian without Swift's libraries.
test-service: setup
	@if [ -d '$(VM_LAB)' ]; then $(MAKE) static; fi
	@Tests/Service/run '$(VM_LAB)' $(STATIC)

test-power: setup
	@if [ -d '$(VM_LAB)' ]; then \
	swift build -c release --static-swift-stdlib --product steps2mqtt --scratch-path .build-static; fi
	@Tests/PowerCut/run '$(VM_LAB)' .build-static/release/steps2mqtt $(CUTS)

docs: setup
	@sh .ci/docs

fuzz: setup
	@sh .ci/fuzz $(RUNS)

asan: setup
	@sh .ci/sanitize address

tsan: setup
	@sh .ci/sanitize thread

clean:
	rm -rf .build .build-*
