import { parseArgs } from 'node:util'
import { run as exportFiles } from './export'
import { run as freshness } from './freshness'
import { run as herd } from './herd'
import { run as ingest } from './ingest'
import { run as lists } from './lists'
import { run as requests } from './requests'

const BENCHES: Record<string, () => Promise<readonly object[]>> = {
  export: exportFiles,
  freshness,
  ingest,
  lists,
  herd,
  requests,
}
const SHORT = ['export', 'freshness', 'ingest', 'lists']

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
const unknown = positionals.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}
const asked = positionals.length > 0 ? positionals : SHORT
const results: Record<string, readonly object[]> = {}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (!asked.includes(name)) continue
  if (!values.json) console.log(`\n${name}`)
  const rows = await bench()
  results[name] = rows
  if (!values.json) console.table(rows.map(rounded))
}
if (values.json) console.log(JSON.stringify(results))

function rounded(row: object): object {
  const short = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)]))
}
