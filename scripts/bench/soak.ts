import { setTimeout as wait } from 'node:timers/promises'
import { createArrivals } from '@/reference-service/invented/arrivals'
import { slopeOf } from './measure'
import type { Options } from './options'
import { type RunningApp, withApp } from './running-app'

const SAMPLE_MS = 5_000
/** Only the lowest of so many samples counts: what stays after garbage collection. */
const SAMPLES_OF_A_LOW = 6
/** Fewer are the end of the warm-up. */
const MIN_LOWS = 20
const WARM_UP = 0.3
const AT_ONCE = 4
/** Twenty times a real day, so that a leak shows soon. */
const ARRIVAL_MS = 300
/** 60 MB an hour would be 10 GB in a week; half an hour cannot tell less from noise. */
const MAX_MB_PER_HOUR = 60

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

/** Memory under accelerated work, once warm. The command fails where it surely grows. */
export function run(options: Options): Promise<object[]> {
  return withApp({ ...options, members: [{ name: 'Soak', schools: 'all' }] }, async (app, store) => {
    const arrivals = createArrivals({ store, seed: Date.now(), meanMs: ARRIVAL_MS })
    await wait(SAMPLE_MS)
    const first = await memoryOf(app)
    arrivals.start()
    const samples = await underLoad(app, options.minutes * 60_000).finally(arrivals.stop)
    const steady = samples.slice(Math.floor(samples.length * WARM_UP))
    const rows = (Object.keys(first) as (keyof Memory)[]).map((name) =>
      rowOf(name, first, steady, options.postgres ? 'PostgreSQL' : 'PGlite'),
    )
    if (rows.some(({ verdict }) => verdict === 'grows')) process.exitCode = 1
    return rows
  })
}

type Sample = { at: number; memory: Memory }

function rowOf(name: keyof Memory, first: Memory, steady: readonly Sample[], database: string) {
  const lows = localMinima(steady.map(({ at, memory }) => ({ x: at / 3_600_000, y: memory[name] })))
  const { slope, error } = slopeOf(lows)
  return {
    database,
    memory: name,
    'after start MB': first[name],
    'at the end MB': steady.at(-1)?.memory[name] ?? Number.NaN,
    'MB an hour': slope,
    '± MB an hour': error,
    'at most': MAX_MB_PER_HOUR,
    verdict: lows.length < MIN_LOWS ? 'too short to tell' : verdictOf({ slope, error }, MAX_MB_PER_HOUR),
  }
}

export function verdictOf(
  { slope, error }: ReturnType<typeof slopeOf>,
  max: number,
): 'steady' | 'grows' | 'too short to tell' {
  if (slope - error > max) return 'grows'
  return slope + error < max ? 'steady' : 'too short to tell'
}

type Point = { x: number; y: number }

function localMinima(points: readonly Point[]): Point[] {
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
    // A failed request ends it: without load there is nothing to measure.
    await Promise.race([wait(SAMPLE_MS), working])
    samples.push({ at: Date.now() - started, memory: await memoryOf(app) })
  }
  await working
  return samples
}

async function memoryOf(app: RunningApp): Promise<Memory> {
  const text = await get(app, '/api/metrics', { authorization: `Bearer ${app.metricsToken}` })
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20
  return {
    'all of it': figure('process_resident_memory_bytes'),
    heap: figure('nodejs_heap_size_used_bytes'),
    'outside the heap': figure('nodejs_external_memory_bytes'),
  }
}

async function get({ origin, cookies }: RunningApp, path: string, more: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(origin + path, { redirect: 'manual', headers: { cookie: cookies[0] ?? '', ...more } })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return answer.text()
}
