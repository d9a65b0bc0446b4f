import { formatGreeting, parseFlags, USAGE } from './command-line'
import { openFileStore } from './data-file'
import { listen } from './http-server'
import { inventData, type Tier } from './invented/data'
import { createReferenceService } from './service'
import { createSeededTokens, createStore } from './store'

const BASE_PATH = '/v1'

const flags = readFlags()
if (flags.help) console.log(USAGE)
else await serve(flags).catch((error: Error) => fail(1, error.message))

function readFlags() {
  try {
    return parseFlags(process.argv.slice(2))
  } catch (error) {
    return fail(2, `${error instanceof Error ? error.message : String(error)}\nSee npm run service -- --help`)
  }
}

async function serve({ port, seed, tier, data: path, json }: ReturnType<typeof parseFlags>) {
  const store = path === undefined ? inventStore(tier, seed) : openFileStore({ path, seed, report: console.error })
  const listening = await listen(createReferenceService({ source: store, basePath: BASE_PATH }), port)
  console.log(formatGreeting(`http://localhost:${listening.port}${BASE_PATH}`, store, { json }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void listening.close().then(() => process.exit(0)))
}

function inventStore(tier: Tier, seed: number) {
  const data = inventData({ tier, seed, now: Date.now() })
  return createStore(data, createSeededTokens(seed, data.highSchools))
}

function fail(exitCode: number, message: string): never {
  console.error(message)
  process.exit(exitCode)
}
