import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { median, quantile } from './measure'
import type { Options } from './options'
import { startApp, startService } from './running-app'

type Row = {
  request: string
  'a second': number
  'of bare node:http': number
  'median ms': number
  'p95 ms': number
  'processor ms each': number
  kB: number
}

const CONNECTIONS = 16
const WARM_UP_MS = 1_500
const PATHS = {
  'health, nobody signed in': '/api/health',
  'status, signed in': '/api/status',
  'a preference, signed in': '/api/preferences/export.asked-questions',
  'a list of 100': '/api/declarations-of-interest?limit=100&offset=0&sort=-createdAt',
  'the inbox page': '/declarations',
}

/** How many requests a second the built app answers, beside a server that does nothing but answer. */
export async function run({ tier, postgres, seconds }: Options): Promise<Row[]> {
  const service = await startService(tier)
  const app = await startApp({ url: service.url, members: [{ name: 'Requests', schools: 'all' }], postgres })
  const bare = createServer((_, answer) => void answer.end('{}')).listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const ms = (seconds * 1000) / (Object.keys(PATHS).length + 1)
  try {
    const { port } = bare.address() as AddressInfo
    const { answered: _, ...best } = await load(`http://127.0.0.1:${port}/`, '', ms)
    const rows: Row[] = [
      { request: 'bare node:http', ...best, 'of bare node:http': 1, 'processor ms each': Number.NaN },
    ]
    for (const [name, path] of Object.entries(PATHS)) {
      const before = app.cpuMs()
      const { answered, ...figures } = await load(app.origin + path, app.cookies[0] ?? '', ms)
      const each = (app.cpuMs() - before) / answered
      const share = figures['a second'] / best['a second']
      rows.push({ request: name, ...figures, 'of bare node:http': share, 'processor ms each': each })
    }
    return rows
  } finally {
    bare.close()
    bare.closeAllConnections()
    await app.stop()
    await service.close()
  }
}

async function load(url: string, cookie: string, ms: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const from = performance.now() + WARM_UP_MS
  const until = from + ms
  const times: number[] = []
  let answered = 0
  let bytes = 0
  const work = async () => {
    while (performance.now() < until) {
      const started = performance.now()
      const size = await sizeOf(url, cookie, agent)
      answered += 1
      if (started < from) continue
      times.push(performance.now() - started)
      bytes += size
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  agent.destroy()
  const each = { 'median ms': median(times), 'p95 ms': quantile(times, 0.95), kB: bytes / 1000 / times.length }
  return { answered, 'a second': (times.length * 1000) / ms, ...each }
}

/** Rejects when the answer is not a good one: refusals are quick. */
function sizeOf(url: string, cookie: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'application/json', 'accept-encoding': 'gzip' }
    const asking = request(url, { agent, headers }, (answer) => {
      let size = 0
      answer.on('data', (part: Buffer) => (size += part.length))
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(size) : reject(new Error(`${url} answered ${answer.statusCode}`)),
      )
      answer.on('error', reject)
    })
    asking.on('error', reject)
    asking.end()
  })
}
