# Programs that use Kymo, built with make and kymo-config:
#
#     make -f kymo-config.mk                                   # kymo-config is in PATH
#     make -f kymo-config.mk KYMO_CONFIG=<prefix>/bin/kymo-config

KYMO_CONFIG ?= kymo-config
CFLAGS ?= -g -O2
CFLAGS += -std=c99 -D_POSIX_C_SOURCE=200809L

flags = $(shell $(KYMO_CONFIG) --component $(1) --cflags)
libraries = $(shell $(KYMO_CONFIG) --component $(1) --ldflags --libs)

all: solver solver_functions regions regions_static states states_static

solver: solver.c
	$(CC) $(CFLAGS) $(call flags,user) -o $@ $<

# The same program, with all functions instrumented by the compiler.
solver_functions: solver.c
	$(CC) $(CFLAGS) $(call flags,user --compiler) -o $@ $< $(call libraries,user --compiler)

regions: regions.c
	$(CC) $(CFLAGS) $(call flags,otf2) -o $@ $< $(call libraries,otf2)

regions_static: regions.c
	$(CC) $(CFLAGS) $(call flags,otf2) -o $@ $< $(call libraries,otf2 --static)

states: states.c
	$(CC) $(CFLAGS) $(call flags,ttf) -o $@ $< $(call libraries,ttf)

states_static: states.c
	$(CC) $(CFLAGS) $(call flags,ttf) -o $@ $< $(call libraries,ttf --static)

clean:
	rm -f solver solver_functions regions regions_static states states_static

.PHONY: all clean
