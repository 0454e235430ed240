// Loaded before the command of the Firefox profiler, which looks ten times, 50 ms apart, whether
// the process that it starts is ready. Each of these waits becomes longer than the one before, five
// minutes in total, so that the machine may be busy.
const wait = globalThis.setTimeout;
let next = 50;
globalThis.setTimeout = (then, time, ...rest) => {
  const longer = time === 50 ? next : time;
  if (time === 50) next *= 2.5;
  return wait(then, longer, ...rest);
};
