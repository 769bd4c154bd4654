# Recipes that run other programs, two at a time, and make itself.
names := a b c d
all: $(names:=.upper) sub
%.upper: %.lower
	tr a-z A-Z <$< >$@
%.lower:
	head -c 200 text >$@
sub:
	@$(MAKE) -s -f chain.mk inner
inner:
	@echo inner $(words $(names)) $(foreach n,$(names),$(n)$(n))
.PHONY: all sub inner
