import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { shownRange } from '@/lib/interest/board'
import { dayZero } from '@/lib/interest/cohort'
import { forecastOf } from '@/lib/interest/forecast'
import { roundedSpelling } from '@/lib/interest/rounding'
import { blurOf, type EarlierSeason, seasonDays, seasonOf } from '@/lib/interest/seasons'
import { inventData } from '@/reference-service/invented/data'
import { Random } from '@/reference-service/invented/random'
import { epochDay, stockholmEpochDay } from '@/lib/time/stockholm'

/*
 * Every day of past years is replayed: the forecast of that day from the years before it, beside the truth and two naive
 * models: it ends as the year before, or as far above it as it is today. Invented years differ by chance alone; `uneven` ones differ
 * also in level (a tenth), of each school (a sixth) and in time (four days), as real ones do.
 */

type Row = {
  years: string
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
  const cases = (['invented', 'uneven'] as const).flatMap((years) => {
    const worlds = Array.from({ length: SEEDS }, (_, seed) => invented(seed, years === 'uneven'))
    return (['all schools', 'a school'] as const).flatMap((of) =>
      [1, 2, 3].map((earlier) => {
        const replays = worlds.flatMap((world) => {
          const seasons = of === 'a school' ? [...world.values()] : [together(world)]
          return seasons.flatMap((one) => replayed(one, earlier))
        })
        return { name: { years, of, 'earlier years': `${earlier}` }, replays }
      }),
    )
  })
  const all = { years: 'all', of: 'all', 'earlier years': 'all' }
  return [
    ...cases.map(({ name, replays }) => rowOf(name, replays)),
    rowOf(
      all,
      cases.flatMap(({ replays }) => replays),
    ),
  ]
}

type Name = Pick<Row, 'years' | 'of' | 'earlier years'>

function rowOf(name: Name, replays: readonly Replay[]): Row {
  const mean = (of: (replay: Replay) => number) =>
    (100 * replays.reduce((sum, replay) => sum + of(replay), 0)) / replays.length
  const isInRange = ({ truth, low, high }: Replay) => Number(truth >= low && truth <= high)
  return {
    ...name,
    forecasts: replays.length,
    'in the range, %': mean(isInRange),
    'error, %': mean(({ truth, expected }) => Math.abs(expected - truth) / truth),
    'as the year before, %': mean(({ truth, asBefore }) => Math.abs(asBefore - truth) / truth),
    'at its pace, %': mean(({ truth, atPace }) => Math.abs(atPace - truth) / truth),
    'width of the range, %': mean(({ truth, low, high }) => (high - low) / truth),
  }
}

/** The days of declarations by year. */
type Years = Map<number, number[]>
type World = Map<string, Years>

function together(world: World): Years {
  return new Map(YEARS.map((year) => [year, [...world.values()].flatMap((years) => years.get(year) ?? [])]))
}

function invented(seed: number, isUneven: boolean): World {
  const random = new Random(seed + 1)
  const level = new Map<string, number>()
  const of = (key: string, spread: number, around: number) => {
    const known = level.get(key) ?? around + gauss(random) * spread
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
      if (isUneven && !random.chance(share)) continue
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

const DAYS = seasonDays(FIRST_YEAR, defaultAdmissionCycle, epochDay('2030-01-01'))

function seasonOfYear(years: Years, year: number): EarlierSeason {
  const came = (years.get(year) ?? []).toSorted((a, b) => a - b)
  const zero = dayZero(year, defaultAdmissionCycle)
  return { year, cumulative: seasonOf(came, zero, DAYS, Infinity, roundedSpelling), blur: blurOf(roundedSpelling) }
}

type Replay = {
  truth: number
  low: number
  high: number
  expected: number
  asBefore: number
  atPace: number
}

function replayed(years: Years, earlier: number): Replay[] {
  return TARGETS.flatMap((year) => {
    const known = YEARS.filter((one) => one < year && one >= year - earlier).map((one) => seasonOfYear(years, one))
    const { cumulative, blur } = seasonOfYear(years, year)
    const before = known.at(-1)?.cumulative ?? []
    if (known.length < earlier) return []
    return cumulative.slice(FROM_DAY, -1).flatMap((came, at): Replay[] => {
      const place = FROM_DAY + at
      const forecast = forecastOf({ cumulative: cumulative.slice(0, place + 1), blur }, known)
      const [truth, asBefore] = [cumulative.at(-1) ?? 0, before.at(-1) ?? 0]
      const atPace = (came * asBefore) / Math.max(1, before[place] ?? 0)
      if (forecast === null) return []
      const { expected } = forecast
      return [{ truth, expected, ...shownRange(forecast, came), asBefore, atPace }]
    })
  })
}

/** Box and Muller. */
function gauss(random: Random): number {
  return Math.sqrt(-2 * Math.log(random.unit() + 1e-9)) * Math.cos(2 * Math.PI * random.unit())
}
