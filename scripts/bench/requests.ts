import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { median, quantile, readUsage } from './measure'
import { withApp } from './running-app'

const CONNECTIONS = 16
const WARM_UP_MS = 8_000
const MEASURED_MS = 8_000
const PATHS = {
  'a preference, signed in': '/api/preferences/export.asked-questions',
  'a list of 100': '/api/declarations-of-interest?limit=100&offset=0&sort=-createdAt',
  'the inbox page': '/declarations',
}

/** Measures the requests a second of one instance, and compares routes with an almost empty one. */
export function run(): Promise<object[]> {
  return withApp([{ role: 'staff', schools: 'all' }], async ({ app, cookies }) => {
    const rows: object[] = []
    let empty: Figures | null = null
    for (const [name, path] of Object.entries(PATHS)) {
      const figures = await load(app.origin + path, cookies[0] ?? '', app.pid())
      empty ??= figures
      rows.push({
        request: name,
        ...figures,
        'of the empty route': figures['a second'] / empty['a second'],
        'processor, × the empty route': figures['processor ms each'] / empty['processor ms each'],
      })
    }
    return rows
  })
}

type Figures = Awaited<ReturnType<typeof load>>

async function load(url: string, cookie: string, pid: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const headers = { cookie, accept: 'application/json', 'accept-encoding': 'gzip' }
  const during = async (lastsMs: number) => {
    const until = performance.now() + lastsMs
    const answers: { ms: number; bytes: number }[] = []
    const work = async () => {
      while (performance.now() < until) {
        const started = performance.now()
        const bytes = await fetchSize(url, { agent, headers })
        answers.push({ ms: performance.now() - started, bytes })
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    return answers
  }
  await during(WARM_UP_MS)
  const before = { cpuMs: readUsage(pid).cpuMs, ms: performance.now() }
  const answers = await during(MEASURED_MS)
  const elapsedMs = performance.now() - before.ms
  agent.destroy()
  const times = answers.map(({ ms }) => ms)
  return {
    'a second': (answers.length * 1000) / elapsedMs,
    'median ms': median(times),
    'p95 ms': quantile(times, 0.95),
    'processor ms each': (readUsage(pid).cpuMs - before.cpuMs) / answers.length,
    kB: answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1000 / answers.length,
  }
}

/** Reads an answer by `node:http`, which costs little, and returns its size. Rejects on a refusal. */
async function fetchSize(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<number> {
  const [answer]: IncomingMessage[] = await once(request(url, options).end(), 'response')
  if (answer?.statusCode !== 200) throw new Error(`${url} answered ${answer?.statusCode}`)
  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  return bytes
}
