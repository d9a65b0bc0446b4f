import { run as bulk } from './bulk'
import { run as exportFiles } from './export'
import { run as freshness } from './freshness'
import { run as ingest } from './ingest'
import { run as interest } from './interest'
import { run as lists } from './lists'

/** Rows of figures, each beside what it is compared with. */
type Bench = () => Promise<readonly object[]>

const BENCHES: Record<string, Bench> = { bulk, export: exportFiles, freshness, ingest, interest, lists }

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isJson = process.argv.includes('--json')
const unknown = asked.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}

const results: Record<string, readonly object[]> = {}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  if (!isJson) console.log(`\n${name}`)
  const rows = await bench()
  results[name] = rows
  if (!isJson) console.table(rows.map(rounded))
}
if (isJson) console.log(JSON.stringify(results))

function rounded(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(4)) : value,
    ]),
  )
}
