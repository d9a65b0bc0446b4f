import { parseArgs } from 'node:util'
import { run as exportFiles } from './export'
import { run as freshness } from './freshness'
import { run as herd } from './herd'
import { run as ingest } from './ingest'
import { run as lists } from './lists'
import { run as requests } from './requests'

type Bench = () => Promise<readonly object[]>
const SHORT: Record<string, Bench> = { export: exportFiles, freshness, ingest, lists }
const BENCHES: Record<string, Bench> = { ...SHORT, herd, requests }

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
const results: Record<string, readonly object[]> = {}
for (const name of positionals.length > 0 ? positionals : Object.keys(SHORT)) {
  const rows = (await BENCHES[name]?.()) ?? []
  results[name] = rows
  if (values.json) continue
  console.log(`\n${name}`)
  console.table(rows.map(rounded))
}
if (values.json) console.log(JSON.stringify(results))

function rounded(row: object): object {
  const short = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)]))
}
