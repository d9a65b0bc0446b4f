import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { shownRange } from '@/lib/interest/board'
import { dayZero } from '@/lib/interest/cohort'
import { type EarlierSeason, forecastOf } from '@/lib/interest/forecast'
import { roundedSpelling } from '@/lib/interest/rounding'
import { addedUp, blurOf, exact, seasonDays, seasonOf, type Spelling } from '@/lib/interest/seasons'
import { inventData } from '@/reference-service/invented/data'
import { epochDay, stockholmEpochDay } from '@/lib/time/stockholm'

/*
 * Every day of past years is replayed: the forecast of that day from the years before it, beside the truth and two naive
 * models: it ends as the year before, or as far above it as it is today. Invented years differ by chance alone; `uneven`
 * ones also in level (a tenth), of each school (a sixth) and in time (four days), as real ones do.
 */

type Row = {
  years: string
  counts: string
  of: string
  'earlier years': string
  forecasts: number
  'in the range, %': number
  'error, %': number
  'as the year before, %': number
  'at its pace, %': number
  'width of the range, %': number
}

const SEEDS = 4
const FIRST_YEAR = 2022
const YEARS = [2022, 2023, 2024, 2025, 2026]
const TARGETS = [2024, 2025, 2026]
/** Each invention has three years. */
const INVENTED_ON = [Date.UTC(2026, 8, 30), Date.UTC(2023, 9, 1)]
/** The first fortnight knows nothing. */
const FROM_DAY = 14

export async function run(): Promise<Row[]> {
  const cases = [false, true].flatMap((isUneven) => {
    const worlds = Array.from({ length: SEEDS }, (_, seed) => invented(seed, isUneven))
    const years = isUneven ? 'uneven' : 'invented'
    return [exact, roundedSpelling].flatMap((spell) => {
      const seasons = worlds.map((world) => seasonsOf(world, spell))
      const counts = spell === exact ? 'exact' : 'rounded'
      return (['all schools', 'a school'] as const).flatMap((of) =>
        [1, 2, 3].map((earlier) => {
          const replays = seasons.flatMap((one) => replayed(one, { isOfAll: of === 'all schools', earlier }))
          return { name: { years, counts, of, 'earlier years': `${earlier}` }, replays }
        }),
      )
    })
  })
  const all = { years: 'all', counts: 'all', of: 'all', 'earlier years': 'all' }
  return [
    ...cases.map(({ name, replays }) => rowOf(name, replays)),
    rowOf(
      all,
      cases.flatMap(({ replays }) => replays),
    ),
  ]
}

type Name = Pick<Row, 'years' | 'counts' | 'of' | 'earlier years'>

function rowOf(name: Name, replays: readonly Replay[]): Row {
  const mean = (of: (replay: Replay) => number) =>
    (100 * replays.reduce((sum, replay) => sum + of(replay), 0)) / replays.length
  return {
    ...name,
    forecasts: replays.length,
    'in the range, %': mean(({ truth, low, high }) => Number(truth >= low && truth <= high)),
    'error, %': mean(({ truth, expected }) => Math.abs(expected - truth) / truth),
    'as the year before, %': mean(({ truth, asBefore }) => Math.abs(asBefore - truth) / truth),
    'at its pace, %': mean(({ truth, atPace }) => Math.abs(atPace - truth) / truth),
    'width of the range, %': mean(({ truth, low, high }) => (high - low) / truth),
  }
}

/** The days of declarations, by school and year. */
type World = Map<string, Map<number, number[]>>

function invented(seed: number, isUneven: boolean): World {
  const draw = createDraw(seed + 1)
  const level = new Map<string, number>()
  const of = (key: string, spread: number, around: number) => {
    const known = level.get(key) ?? around + gauss(draw) * spread
    level.set(key, known)
    return known
  }
  const world: World = new Map()
  for (const [at, now] of INVENTED_ON.entries()) {
    const { declarationsOfInterest } = inventData({ tier: 'M', seed: seed * 10 + at, now })
    for (const { highSchoolId, createdAt, user } of declarationsOfInterest) {
      const year = user.highSchoolEnrollmentYear ?? 0
      if (!YEARS.includes(year)) continue
      const share = 0.7 * Math.exp(of(`${year}`, 0.1, 0) + of(`${highSchoolId} ${year}`, 0.15, 0))
      if (isUneven && draw() > share) continue
      const shift = isUneven ? Math.round(of(`shift ${year}`, 4, 0)) : 0
      const years = world.get(highSchoolId) ?? new Map<number, number[]>()
      world.set(
        highSchoolId,
        years.set(year, [...(years.get(year) ?? []), stockholmEpochDay(Date.parse(createdAt)) + shift]),
      )
    }
  }
  return world
}

function seasonsOf(world: World, spell: Spelling): { schools: EarlierSeason[][]; all: EarlierSeason[] } {
  const days = seasonDays(FIRST_YEAR, defaultAdmissionCycle, epochDay('2030-01-01'))
  const schools = [...world.values()].map((years) =>
    YEARS.map((year) => {
      const came = (years.get(year) ?? []).toSorted((a, b) => a - b)
      const zero = dayZero(year, defaultAdmissionCycle)
      return { year, cumulative: seasonOf(came, zero, days, Infinity, spell), blur: blurOf(spell) }
    }),
  )
  const together = YEARS.map((year, place) =>
    addedUp(
      year,
      schools.flatMap((school) => school[place] ?? []),
    ),
  )
  return { schools, all: together }
}

type Replay = { truth: number; low: number; high: number; expected: number; asBefore: number; atPace: number }

function replayed(
  { schools, all }: ReturnType<typeof seasonsOf>,
  { isOfAll, earlier }: { isOfAll: boolean; earlier: number },
): Replay[] {
  return (isOfAll ? [all] : schools).flatMap((seasons) =>
    TARGETS.flatMap((year) => {
      const isKnown = (season: EarlierSeason) => season.year < year && season.year >= year - earlier
      const [known, course] = [seasons.filter(isKnown), all.filter(isKnown)]
      const { cumulative = [], blur = 0 } = seasons.find((season) => season.year === year) ?? {}
      const before = seasons.find((season) => season.year === year - 1)?.cumulative ?? []
      if (known.length < earlier) return []
      return cumulative.slice(FROM_DAY, -1).flatMap((came, at): Replay[] => {
        const place = FROM_DAY + at
        const forecast = forecastOf({ cumulative: cumulative.slice(0, place + 1), blur }, known, course)
        const [truth, asBefore] = [cumulative.at(-1) ?? 0, before.at(-1) ?? 0]
        const atPace = (came * asBefore) / Math.max(1, before[place] ?? 0)
        if (forecast === null) return []
        return [{ truth, expected: forecast.expected, ...shownRange(forecast, came), asBefore, atPace }]
      })
    }),
  )
}

function createDraw(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Box and Muller. */
function gauss(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(draw() + 1e-9)) * Math.cos(2 * Math.PI * draw())
}
