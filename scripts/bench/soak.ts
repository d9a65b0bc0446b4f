import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createArrivals } from '@/reference-service/invented/arrivals'
import { slopeOf } from './measure'
import type { Options } from './options'
import { type RunningApp, startApp, startService } from './running-app'

type Row = {
  database: string
  memory: string
  'after start MB': number
  'at the end MB': number
  'MB an hour': number
  /** Half the width of the 95 % interval of the slope. */
  '± MB an hour': number
  'at most': number
  verdict: 'steady' | 'grows' | 'too short to tell'
}

const SAMPLE_MS = 5_000
/** Memory is a saw: of so many samples only the lowest counts, which is what stays after collecting. */
const SAMPLES_OF_A_LOW = 6
/** Fewer lows are the end of the warming up and no slope. */
const LEAST_LOWS = 20
/** Of the whole run: caches fill and code is compiled before memory can be steady. */
const WARM_UP = 0.3
const AT_ONCE = 4
/** Twenty times what a day brings, so that what each lead left behind would show soon. */
const ARRIVAL_MS = 300
/**
 * What half an hour under this load can tell from noise, and no more: 60 MB an hour would be 10 GB in a week. A longer run
 * tells less than that by its slope and the error beside it.
 */
const MOST_MB_PER_HOUR = 60

const PATHS = [
  '/api/declarations-of-interest?limit=100&sort=-createdAt',
  '/api/declarations-of-interest?limit=100&q=anna',
  '/api/asked-questions?limit=100&sort=name',
  '/api/high-schools',
  '/api/status',
  '/api/views',
  '/api/interest',
  '/declarations',
  '/questions',
  '/interest',
]

type Memory = { 'all of it': number; heap: number; 'outside the heap': number }

/** Accelerated work for some minutes: how the memory goes once it is warm. Where it surely grows the command fails. */
export async function run({ minutes, tier, postgres }: Options): Promise<Row[]> {
  const service = await startService(tier)
  const app = await startApp({ url: service.url, members: [{ name: 'Soak', schools: 'all' }], postgres })
  const arrivals = createArrivals({ store: service.store, seed: Date.now(), meanMs: ARRIVAL_MS })
  try {
    await wait(SAMPLE_MS)
    const first = await memoryOf(app)
    arrivals.start()
    const samples = await underLoad(app, minutes * 60_000)
    const steady = samples.slice(Math.floor(samples.length * WARM_UP))
    const rows = (Object.keys(first) as (keyof Memory)[]).map((name) =>
      rowOf(name, first, steady, postgres ? 'PostgreSQL' : 'PGlite'),
    )
    if (rows.some(({ verdict }) => verdict === 'grows')) process.exitCode = 1
    return rows
  } finally {
    arrivals.stop()
    await app.stop()
    await service.close()
  }
}

type Sample = { at: number; memory: Memory }

function rowOf(name: keyof Memory, first: Memory, steady: readonly Sample[], database: string): Row {
  const lows = lowsOf(steady.map(({ at, memory }) => ({ x: at / 3_600_000, y: memory[name] })))
  const { slope, error } = slopeOf(lows)
  return {
    database,
    memory: name,
    'after start MB': first[name],
    'at the end MB': steady.at(-1)?.memory[name] ?? Number.NaN,
    'MB an hour': slope,
    '± MB an hour': error,
    'at most': MOST_MB_PER_HOUR,
    verdict: lows.length < LEAST_LOWS ? 'too short to tell' : verdictOf({ slope, error }, MOST_MB_PER_HOUR),
  }
}

/** What the whole interval of the slope says; where the limit lies within it that is nothing. */
export function verdictOf({ slope, error }: ReturnType<typeof slopeOf>, most: number): Row['verdict'] {
  if (slope - error > most) return 'grows'
  return slope + error < most ? 'steady' : 'too short to tell'
}

type Point = { x: number; y: number }

function lowsOf(points: readonly Point[]): Point[] {
  const count = Math.floor(points.length / SAMPLES_OF_A_LOW)
  return Array.from({ length: count }, (_, at) =>
    points
      .slice(at * SAMPLES_OF_A_LOW, (at + 1) * SAMPLES_OF_A_LOW)
      .reduce((lowest, point) => (point.y < lowest.y ? point : lowest)),
  )
}

async function underLoad(app: RunningApp, ms: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const started = Date.now()
  const work = async (from: number) => {
    for (let count = from; Date.now() - started < ms; count += 1) await get(app, PATHS[count % PATHS.length] ?? '/')
  }
  const working = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index * 3)))
  while (Date.now() - started < ms) {
    // A request that failed ends it at once: without its load there is nothing to learn.
    await Promise.race([wait(SAMPLE_MS), working])
    samples.push({ at: Date.now() - started, memory: await memoryOf(app) })
  }
  await working
  return samples
}

/** As the process itself tells its memory, in megabytes. */
async function memoryOf(app: RunningApp): Promise<Memory> {
  const text = await get(app, '/api/metrics', { authorization: `Bearer ${app.metricsToken}` })
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20
  return {
    'all of it': figure('process_resident_memory_bytes'),
    heap: figure('nodejs_heap_size_used_bytes'),
    'outside the heap': figure('nodejs_external_memory_bytes'),
  }
}

/** Rejects when the answer is not a good one, which would be no work. */
function get({ origin, cookies }: RunningApp, path: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request(origin + path, { headers: { cookie: cookies[0] ?? '', ...headers } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(parts).toString())
        else reject(new Error(`${path} answered ${answer.statusCode}`))
      })
      answer.on('error', reject)
    })
    asking.on('error', reject)
    asking.end()
  })
}
