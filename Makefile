# The commands of the README. The work is done by xtask: `cargo xtask help` lists the long forms.
# Each target sets up what it needs by itself. More words for a command: make bench ARGS='interp --json'.

ARGS ?=
XTASK = @sh xtask/bootstrap.sh && cargo xtask

.DEFAULT_GOAL := help
.PHONY: help setup demo test bench bless fuzz verify-long kernel-test

help:  ## Print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

setup:  ## Install or name what test and bench need (demo needs nothing but Rust)
	$(XTASK) setup $(ARGS)

demo:  ## See on real files what Carnet is for
	$(XTASK) demo $(ARGS)

test:  ## Run every check and every test
	$(XTASK) test $(ARGS)

bench:  ## Run the benchmarks beside their rivals
	$(XTASK) bench $(ARGS)

bless:  ## Accept the present output of the text cases as expected; review the diff
	$(XTASK) bless $(ARGS)

fuzz:  ## Run the fuzz targets until stopped, or: ARGS='--seconds 60'
	$(XTASK) fuzz $(ARGS)

kernel-test:  ## Test the kernel module in an emulator, as make test does, and draw Figure 7
	$(XTASK) kernel-test $(ARGS)
	$(XTASK) bench kernel

verify-long:  ## Hold class verifier and runtime against HotSpot at length
	$(XTASK) verify-long $(ARGS)
