import { formatGreeting, parseFlags, USAGE } from './command-line'
import { openFileStore } from './data-file'
import { listen } from './http-server'
import { createArrivals } from './invented/arrivals'
import { inventData } from './invented/data'
import { createReferenceService } from './service'
import { createGrants, createStore, createTokens, type Store } from './store'

const BASE_PATH = '/v1'

let exitCode = 2
try {
  const flags = parseFlags(process.argv.slice(2))
  exitCode = 1
  if (flags.help) console.log(USAGE)
  else await run(flags)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (isTaken) console.error('The port is in use; choose another with --port, or 0 for any free one')
  else console.error(exitCode === 2 ? `${message}\nSee npm run service -- --help` : message)
  process.exit(exitCode)
}

async function run({ port, seed, tier, data: path, json, live }: ReturnType<typeof parseFlags>) {
  let source: Store
  if (path === undefined) {
    const data = inventData({ tier, seed, now: Date.now() })
    source = createStore(data, createGrants(createTokens(seed), data.highSchools))
  } else source = openFileStore({ path, seed, report: (message) => console.error(message) })
  const service = createReferenceService({ source, basePath: BASE_PATH })
  const listening = await listen(service.handle, port)
  // The seed includes the moment, so that a restart does not invent the same people again.
  if (live) createArrivals({ store: source, seed: seed ^ Date.now() }).start()
  console.log(formatGreeting(`http://localhost:${listening.port}${BASE_PATH}`, source, { json }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void listening.close().then(() => process.exit(0)))
  }
}
