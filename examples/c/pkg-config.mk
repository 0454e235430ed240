# Programs that use Kymo, built with make and pkg-config:
#
#     PKG_CONFIG_PATH=<prefix>/lib/pkgconfig make -f pkg-config.mk
#
# Answers of pkg-config contain no run path, which is where a program finds its libraries. The
# linker gets the folder here, so that LD_LIBRARY_PATH is not necessary.

PKG_CONFIG ?= pkg-config
CFLAGS ?= -g -O2
CFLAGS += -std=c99 -D_POSIX_C_SOURCE=200809L

flags = $(shell $(PKG_CONFIG) --cflags $(1))
libraries = $(shell $(PKG_CONFIG) --libs $(1)) -Wl,-rpath,$(shell $(PKG_CONFIG) --variable=libdir $(1))

all: solver regions states

solver: solver.c
	$(CC) $(CFLAGS) $(call flags,kymo) -o $@ $<

regions: regions.c
	$(CC) $(CFLAGS) $(call flags,kymo_otf2) -o $@ $< $(call libraries,kymo_otf2)

states: states.c
	$(CC) $(CFLAGS) $(call flags,kymo_ttf) -o $@ $< $(call libraries,kymo_ttf)

clean:
	rm -f solver regions states

.PHONY: all clean
