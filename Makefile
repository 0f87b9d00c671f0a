# make setup | quick | test | demo | soak | bench | docs | wheels | compiled | pure: what each does stands in make.py, for machines without make
PYTHON ?= python3

.PHONY: setup demo lint types quick test soak bench docs wheels compiled pure clean

setup demo lint types quick test soak bench docs wheels compiled pure clean:
	$(PYTHON) make.py $@
