//! Programs for OTF2 1.x and 2.x.
