import { Agent, request } from 'node:http'
import { type BareServer, startBareHttp, startBareNext } from './bare-servers'
import { median, quantile } from './measure'
import type { Options } from './options'
import { startApp, startService } from './running-app'

type Row = {
  request: string
  'a second': number
  'of bare node:http': number
  'of a bare Next route': number
  'median ms': number
  'p95 ms': number
  'processor ms each': number
  kB: number
}

const CONNECTIONS = 16
/** A bare Next grows faster for some ten seconds, until what it does most is compiled. */
const WARM_UP_MS = 8_000
const PATHS = {
  'health, nobody signed in': '/api/health',
  'status, signed in': '/api/status',
  'a preference, signed in': '/api/preferences/export.asked-questions',
  'a list of 100': '/api/declarations-of-interest?limit=100&offset=0&sort=-createdAt',
  'the inbox page': '/declarations',
}

/** How many requests a second the built app answers, beside servers in processes of their own that do nothing but answer. */
export async function run({ tier, postgres, seconds }: Options): Promise<Row[]> {
  const ms = (seconds * 1000) / (Object.keys(PATHS).length + 2)
  const bare = await figuresOf(startBareHttp, ms)
  const next = await figuresOf(startBareNext, ms)
  const rowOf = (name: string, figures: Figures): Row => ({
    request: name,
    ...figures,
    'of bare node:http': figures['a second'] / bare['a second'],
    'of a bare Next route': figures['a second'] / next['a second'],
  })
  const rows = [rowOf('bare node:http', bare), rowOf('a bare Next route', next)]
  const service = await startService(tier)
  const app = await startApp({ url: service.url, members: [{ name: 'Requests', schools: 'all' }], postgres })
  try {
    for (const [name, path] of Object.entries(PATHS)) {
      rows.push(rowOf(name, await load(app.origin + path, app.cookies[0] ?? '', ms, app.cpuMs)))
    }
    return rows
  } finally {
    await app.stop()
    await service.close()
  }
}

type Figures = Awaited<ReturnType<typeof load>>

async function figuresOf(start: () => Promise<BareServer>, ms: number): Promise<Figures> {
  const { origin, cpuMs, stop } = await start()
  return load(`${origin}/`, '', ms, cpuMs).finally(stop)
}

async function load(url: string, cookie: string, ms: number, cpuMs: () => number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const during = async (lastsMs: number) => {
    const until = performance.now() + lastsMs
    const answers: { ms: number; bytes: number }[] = []
    const work = async () => {
      while (performance.now() < until) {
        const started = performance.now()
        const bytes = await sizeOf(url, cookie, agent)
        answers.push({ ms: performance.now() - started, bytes })
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    return answers
  }
  await during(WARM_UP_MS)
  const before = { cpuMs: cpuMs(), at: performance.now() }
  const answers = await during(ms)
  const elapsedMs = performance.now() - before.at
  agent.destroy()
  const times = answers.map((answer) => answer.ms)
  return {
    'a second': (answers.length * 1000) / elapsedMs,
    'median ms': median(times),
    'p95 ms': quantile(times, 0.95),
    'processor ms each': (cpuMs() - before.cpuMs) / answers.length,
    kB: answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1000 / answers.length,
  }
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
