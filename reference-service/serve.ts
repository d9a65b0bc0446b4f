import { FlagError, type Flags, greeting, parseFlags, usage } from './command-line'
import { openFileStore } from './data-file'
import { listen } from './http-server'
import { createArrivals } from './invented/arrivals'
import { inventData } from './invented/data'
import { createReferenceService } from './service'
import { createStore, grantsFor, seededTokens, type Store } from './store'

const basePath = '/v1'

try {
  const flags = parseFlags(process.argv.slice(2))
  if (flags.help) console.log(usage)
  else await run(flags)
} catch (error) {
  console.error(explain(error))
  process.exit(error instanceof FlagError ? 2 : 1)
}

async function run(flags: Flags): Promise<void> {
  const { port, host, limits, seed, json, live } = flags
  const source = openStore(flags)
  const service = createReferenceService({ source, limits, basePath })
  const listening = await listen(service, { port, host })
  // Seeded by the moment as well, so that a restart does not bring the same people in again.
  if (live) createArrivals({ store: source, seed: seed ^ Date.now() }).start()
  console.log(greeting(`http://${nameOf(host)}:${listening.port}${basePath}`, source, json))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void listening.close().then(() => process.exit(0)))
  }
}

function openStore({ data: path, seed, tier }: Flags): Store {
  if (path !== undefined) return openFileStore({ path, seed, report: (message) => console.error(message) })
  const data = inventData({ tier, seed, now: Date.now() })
  return createStore(data, grantsFor(seededTokens(seed), data.highSchools))
}

function nameOf(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function explain(error: unknown): string {
  if (error instanceof FlagError) return `${error.message}\nSee npm run service -- --help`
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use; choose another with --port, or 0 for any free one'
  }
  return error instanceof Error ? error.message : String(error)
}
