const SHOWN = 20

/** The files of a report of Vitest (its JSON) that took longest, as lines. */
export function slowestFiles({ testResults }) {
  return slowest(testResults.map(({ name, startTime, endTime }) => [endTime - startTime, nameIn(name)]))
}

/** The tests of a report of Playwright (its JSON) that took longest, as lines. */
export function slowestTests({ suites }) {
  return slowest(suites.flatMap((suite) => testsOf(suite)))
}

function testsOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests.map(({ results }) => [Math.max(0, ...results.map(({ duration }) => duration)), `${file}:${line} ${title}`]),
  )
  return [...own, ...suites.flatMap((suite) => testsOf(suite))]
}

function slowest(timed) {
  return timed
    .toSorted(([one], [other]) => other - one)
    .slice(0, SHOWN)
    .map(([ms, name]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
}

function nameIn(path) {
  return path.replace(`${process.cwd()}/`, '')
}
