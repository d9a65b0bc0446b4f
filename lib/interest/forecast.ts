/*
 * Where a cohort ends if it goes on like the ones before it did from the same day of the admission year.
 *
 * What is still to come is what came from this day on in earlier years, times how this year stands beside them. Early in
 * the year, when few have come, that ratio leans towards 1. The range holds as often as `LIKELY` says: it comes from how
 * far the same forecast missed the earlier years on the same day, from chance in the counts, and from what would be to
 * come if the rush were some days earlier or later this year, which few earlier years can show.
 */

/** How many of a cohort had come by the end of each passed day of its admission year, in counts as managers see them. */
export type SeasonCounts = { year: number; cumulative: readonly number[] }

/** Earlier years with fewer declarations say nothing of this one. */
const MIN_PER_YEAR = 25
/** A year usually differs from the one before by a fifth. */
const USUAL_GROWTH = 0.2
/** The course of a year usually differs from others by this share of what is to come. */
const USUAL_MISS = 0.07
/** The rush usually comes so many days earlier or later than in another year: a week of school. */
const USUAL_SHIFT = 5
/** What is usual weighs as much as so many misses that were seen. */
const WEIGHT_OF_USUAL = 4
/** How often the outcome lies in the range. */
export const FORECAST_CONFIDENCE = 0.8
/** A week's count is the difference of two that are rounded to the nearest five, which adds so much variance. */
const ROUNDING_VARIANCE = 5 ** 2 / 6
/** This share of a normal distribution lies within so many standard deviations. */
const CONFIDENCE_DEVIATIONS = 1.2816

/**
 * `now` is the cohort's season as far as it has come; `earlier` are those of the same school or schools, so that a school has
 * one forecast wherever it is read. It is null where there is no year to go by, or nothing more is to come.
 */
export function computeForecast(current: SeasonCounts, earlier: readonly SeasonCounts[]) {
  const known = earlier.filter((season) => readFinalCount(season) >= MIN_PER_YEAR)
  const place = current.cumulative.length - 1
  if (known.length === 0 || place < 0) return null
  const came = readFinalCount(current)
  const noise = estimateNoise(current, known)
  const { toCome, deviation } = estimateRemaining({ came, place, known, noise })
  if (toCome < 0.5) return null
  const spread = CONFIDENCE_DEVIATIONS * Math.sqrt(deviation ** 2 + estimateMissVariance(known, place, deviation))
  // The course of one year runs so many days ahead of the mean of the others, or behind it.
  const days = CONFIDENCE_DEVIATIONS * USUAL_SHIFT * Math.sqrt(1 + 1 / known.length)
  const endShifted = (shift: number) => {
    const shifted = estimateRemaining({ came, place: place + shift, known, noise })
    const moved = Math.log(Math.max(0.5, shifted.toCome) / toCome)
    return came + toCome * Math.exp(Math.sign(-shift) * Math.hypot(spread, moved))
  }
  const years = known.map(({ year }) => year)
  return { low: endShifted(days), expected: came + toCome, high: endShifted(-days), years }
}

/** How much of what is to come comes by the end of each day from a place on, 0 to 1. */
export function computeCourse(fromDay: number, seasons: readonly SeasonCounts[]): number[] {
  const ofDay = (day: number) => sum(seasons.map(({ cumulative }) => cumulative[day] ?? 0))
  const [now, end] = [ofDay(fromDay), sum(seasons.map(readFinalCount))]
  const days = Math.max(...seasons.map(({ cumulative }) => cumulative.length)) - fromDay
  return Array.from({ length: days }, (_, day) => (day === days - 1 ? 1 : (ofDay(fromDay + day) - now) / (end - now)))
}

type ForecastInput = {
  came: number
  /** A place may lie between two days. */
  place: number
  known: readonly SeasonCounts[]
  /** The variance of a count by its mean is 1 where only chance is at work. */
  noise: number
}

/** What is expected to come, and the standard deviation of its logarithm that chance explains. */
function estimateRemaining({ came, place, known, noise }: ForecastInput) {
  const whole = sum(known.map(readFinalCount))
  const after = sum(known.map((season) => readFinalCount(season) - interpolateCount(season, place)))
  const share = after / whole
  const usual = whole / known.length
  const [cameUsually, comesUsually] = [usual * (1 - share), usual * share]
  // How much years differ from the one before is the usual, moved by what was seen.
  const ends = known.toSorted((a, b) => a.year - b.year).map(readFinalCount)
  const steps = ends.slice(1).map((end, index) => Math.log(end / (ends[index] ?? end)) ** 2)
  const growth = Math.sqrt((sum(steps) + WEIGHT_OF_USUAL * USUAL_GROWTH ** 2) / (steps.length + WEIGHT_OF_USUAL))
  // It is as if so many had come before the first, which weighs the more the fewer have come.
  const prior = noise / growth ** 2
  const level = (came + prior) / (cameUsually + prior)
  const toCome = level * comesUsually
  const ofLevel = noise / (cameUsually + prior)
  const ofCourse = after === 0 ? 0 : (noise * (1 - share)) / after
  const ofUsual = noise / whole
  return { toCome, deviation: Math.sqrt(noise / Math.max(toCome, 0.5) + ofLevel + ofCourse + ofUsual) }
}

function interpolateCount({ cumulative }: SeasonCounts, place: number): number {
  const last = cumulative.length - 1
  const within = Math.min(last, Math.max(0, place))
  const [before, after] = [cumulative[Math.floor(within)] ?? 0, cumulative[Math.ceil(within)] ?? 0]
  return before + (after - before) * (within % 1)
}

/** The variance that `deviation` does not explain, from how far the same forecast missed each earlier year by the others. */
function estimateMissVariance(known: readonly SeasonCounts[], place: number, deviation: number) {
  const usual = WEIGHT_OF_USUAL * (deviation ** 2 + USUAL_MISS ** 2)
  // A miss is the logarithm of how many came later beside the forecast by the other years.
  const misses = known.flatMap((season) => {
    const came = season.cumulative[place] ?? 0
    const others = known.filter(({ year }) => year !== season.year)
    if (others.length === 0) return []
    const { toCome } = estimateRemaining({ came, place, known: others, noise: 1 })
    const cameLater = readFinalCount(season) - came
    return toCome < 0.5 || cameLater <= 0 ? 0 : Math.log(cameLater / toCome)
  })
  // A forecast from one year fewer misses by more.
  const fewer = (1 + 1 / known.length) / (1 + 1 / (known.length - 1))
  const seen = sum(misses.map((miss) => miss ** 2)) * fewer
  return Math.max(0, (seen + usual) / (misses.length + WEIGHT_OF_USUAL) - deviation ** 2)
}

/** How far weeks differ from what the sums of weeks and years let expect (Pearson's dispersion); 1 is chance. */
export function estimateNoise(current: SeasonCounts, earlier: readonly SeasonCounts[]): number {
  const seasons = [current, ...earlier].map(({ cumulative }) => {
    const weeks: number[] = []
    // The first week is left out, because it has all that came earlier.
    for (let day = 13; day < cumulative.length; day += 7)
      weeks.push((cumulative[day] ?? 0) - (cumulative[day - 7] ?? 0))
    return weeks
  })
  const passed = seasons[0]?.length ?? 0
  const last = Math.max(...seasons.map(({ length }) => length))
  const [before, after] = [dispersion(seasons, 0, passed), dispersion(seasons, passed, last)]
  const squares = before.squares + after.squares + WEIGHT_OF_USUAL
  return Math.max(1, squares / (before.freedom + after.freedom + WEIGHT_OF_USUAL))
}

/** Only years that have all of these weeks count. */
function dispersion(seasons: readonly (readonly number[])[], from: number, to: number) {
  const years = seasons
    .filter(({ length }) => length >= to)
    .map((weeks) => ({ weeks: weeks.slice(from, to), ofYear: sum(weeks.slice(from, to)) }))
    .filter(({ ofYear }) => ofYear > 0)
  if (years.length < 2 || to - from < 2) return { squares: 0, freedom: 0 }
  const total = sum(years.map(({ ofYear }) => ofYear))
  let squares = 0
  for (let week = 0; week < to - from; week++) {
    const ofWeek = sum(years.map(({ weeks }) => weeks[week] ?? 0))
    for (const { weeks, ofYear } of years) {
      const expected = (ofYear * ofWeek) / total
      if (expected > 0) squares += (((weeks[week] ?? 0) - expected) ** 2 - ROUNDING_VARIANCE) / expected
    }
  }
  return { squares, freedom: (years.length - 1) * (to - from - 1) }
}

function readFinalCount({ cumulative }: SeasonCounts): number {
  return cumulative.at(-1) ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
