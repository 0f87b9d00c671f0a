# make setup | quick | test | demo | soak | bench | docs | wheels: what each does stands in make.py, for machines without make
PYTHON ?= python3

.PHONY: setup demo lint types quick test soak bench docs wheels clean

setup demo lint types quick test soak bench docs wheels clean:
	$(PYTHON) make.py $@
