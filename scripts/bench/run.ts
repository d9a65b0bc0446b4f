import { run as bulk } from './bulk'
import { run as exportFiles } from './export'
import { run as forecast } from './forecast'
import { run as freshness } from './freshness'
import { run as herd } from './herd'
import { run as ingest } from './ingest'
import { run as lists } from './lists'
import { type Options, readOptions } from './options'
import { run as requests } from './requests'

type Bench = (options: Options) => Promise<readonly object[]>

const ON_THE_APP = { herd, requests }
const BENCHES: Record<string, Bench> = {
  bulk,
  export: exportFiles,
  forecast,
  freshness,
  ingest,
  lists,
  ...ON_THE_APP,
}
const SHORT = ['export', 'forecast', 'freshness', 'ingest', 'lists']

const options = read()
const asked = options.names.length > 0 ? options.names : SHORT
const results: Record<string, readonly object[]> = {}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (!asked.includes(name)) continue
  if (!options.json) console.log(`\n${name}`)
  const rows = await bench(options)
  results[name] = rows
  if (!options.json) console.table(rows.map(rounded))
}
if (options.json) console.log(JSON.stringify(results))

function read(): Options {
  try {
    const given = readOptions(process.argv.slice(2))
    const unknown = given.names.filter((name) => !(name in BENCHES))
    if (unknown.length === 0) return given
    console.error(`No benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
  }
  process.exit(2)
}

function rounded(row: object): object {
  const short = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, short(value)]))
}
