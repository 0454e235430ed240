# Prints a table of the regions of a trace, sorted by exclusive time:
# `kymo print X | awk -f regions.awk`.
# Those of sampled programs are calling contexts, with the line of the call.
/^(CALLING_CONTEXT_)?(ENTER|LEAVE) / {
    location = $2; time = $3; name = $0
    sub(/^[^"]*"/, "", name); sub(/" <[0-9]+>.*/, "", name)
    if (/^CALLING/) sub(/@[^@]*$/, "", name)
    if (depth[location] > 0) own[open[location, depth[location]]] += time - last[location]
    last[location] = time
}
/^(CALLING_CONTEXT_)?ENTER / { open[location, ++depth[location]] = name; calls[name]++ }
/^(CALLING_CONTEXT_)?LEAVE / { if (depth[location] > 0) depth[location]-- }
END {
    for (name in own) total += own[name]
    print "   time    calls  region"
    for (name in calls) printf "%5.1f %% %8d  %s\n", total ? 100 * own[name] / total : 0, calls[name], name | "sort -rn | head -n 10"
}
