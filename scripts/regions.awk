# Prints a table of the regions of a trace, sorted by exclusive time:
# `kymo print X | awk -f regions.awk`.
/^(ENTER|LEAVE) / {
    location = $2; time = $3; name = $0
    sub(/^[^"]*"/, "", name); sub(/" <[0-9]+>.*/, "", name)
    if (depth[location] > 0) own[open[location, depth[location]]] += time - last[location]
    last[location] = time
}
/^ENTER / { open[location, ++depth[location]] = name; calls[name]++ }
/^LEAVE / { if (depth[location] > 0) depth[location]-- }
END {
    for (name in own) total += own[name]
    print "   time    calls  region"
    for (name in calls) printf "%5.1f %% %8d  %s\n", total ? 100 * own[name] / total : 0, calls[name], name | "sort -rn | head -n 10"
}
