import { WEEK_DAYS } from '@/lib/time/weeks'

/*
 * The forecast says where a cohort ends if it goes on as earlier cohorts did from the same day of the admission year.
 * As many are to come as came then on average, times a level: how this year's count compares with theirs so far. Early
 * in the year, when few have come, the level leans towards 1.
 *
 * A forecast misses by a factor rather than by a number, so deviations and variances are of the logarithm of what is to
 * come. The range allows for chance in the counts, for how far the same forecast missed the earlier years on the same
 * day, and for a rush some days earlier or later this year.
 */

/** A cohort's count by the end of each passed day of its admission year. */
export type SeasonCounts = { year: number; cumulative: readonly number[] }

/** An earlier year with fewer declarations says nothing about this one. */
const MIN_YEAR_COUNT = 25
/** If fewer are expected to come, there is no forecast. */
const MIN_REMAINING_COUNT = 0.5
/** A year usually differs from the one before by a fifth. */
const USUAL_GROWTH = 0.2
/** A forecast usually misses what is to come by this share more than chance explains. */
const USUAL_MISS = 0.07
/** The rush usually comes a school week (5 days) earlier or later than in another year. */
const USUAL_SHIFT_DAYS = 5
/** The usual values weigh as much as this many observed ones. */
const WEIGHT_OF_USUAL = 4
/** The outcome lies in the range with this probability. */
export const FORECAST_CONFIDENCE = 0.8
/** A normal distribution has `FORECAST_CONFIDENCE` within this many standard deviations of its mean. */
const CONFIDENCE_DEVIATIONS = 1.2816
/** The noise where weeks differ by chance alone: a count's variance is then its mean. */
const CHANCE_NOISE = 1
/** This variance is added by rounding: a week's count is the difference of two counts rounded to the nearest five. */
const ROUNDING_VARIANCE = 5 ** 2 / 6

/** All seasons are of the same schools. The forecast is null if no earlier one is usable, or no more are to come. */
export function computeForecast(current: SeasonCounts, earlier: readonly SeasonCounts[]) {
  const usableSeasons = earlier.filter((season) => readFinalCount(season) >= MIN_YEAR_COUNT)
  const day = current.cumulative.length - 1
  if (usableSeasons.length === 0 || day < 0) return null
  const countSoFar = readFinalCount(current)
  const noise = estimateNoise(current, usableSeasons)
  const { remainingCount, deviation } = estimateRemaining(countSoFar, day, usableSeasons, noise)
  if (remainingCount < MIN_REMAINING_COUNT) return null
  const spread = CONFIDENCE_DEVIATIONS * Math.sqrt(deviation ** 2 + estimateMissVariance(usableSeasons, day, deviation))
  // The course of one year runs this many days ahead of the mean of the others, or behind it.
  const shiftDays = CONFIDENCE_DEVIATIONS * USUAL_SHIFT_DAYS * Math.sqrt(1 + 1 / usableSeasons.length)
  const computeEnd = (direction: 1 | -1) => {
    // A year that runs behind is compared with an earlier day, after which more came.
    const shifted = estimateRemaining(countSoFar, day - direction * shiftDays, usableSeasons, noise)
    const shiftEffect = Math.log(Math.max(MIN_REMAINING_COUNT, shifted.remainingCount) / remainingCount)
    return countSoFar + remainingCount * Math.exp(direction * Math.hypot(spread, shiftEffect))
  }
  const years = usableSeasons.map(({ year }) => year)
  return { low: computeEnd(-1), expected: countSoFar + remainingCount, high: computeEnd(1), years }
}

/** Computes for each day from `fromDay` on which share (0 to 1) of the remaining declarations has come by its end. */
export function computeCourse(fromDay: number, seasons: readonly SeasonCounts[]): number[] {
  const sumUntil = (day: number) => sum(seasons.map(({ cumulative }) => cumulative[day] ?? 0))
  const countSoFar = sumUntil(fromDay)
  const remaining = sum(seasons.map(readFinalCount)) - countSoFar
  const days = Math.max(...seasons.map(({ cumulative }) => cumulative.length)) - fromDay
  return Array.from({ length: days }, (_, day) => {
    // The rounded counts of managers, which the forecast is made of, may still rise when the exact ones do not.
    return day === days - 1 || remaining === 0 ? 1 : (sumUntil(fromDay + day) - countSoFar) / remaining
  })
}

/** Estimates how many are to come, with its deviation by chance. A count's variance is `noise` times its mean. */
function estimateRemaining(countSoFar: number, day: number, seasons: readonly SeasonCounts[], noise: number) {
  const totalCount = sum(seasons.map(readFinalCount))
  const laterCount = sum(seasons.map((season) => readFinalCount(season) - interpolateCount(season, day)))
  const meanCount = totalCount / seasons.length
  const laterShare = laterCount / totalCount
  const meanCountSoFar = meanCount - meanCount * laterShare
  // A prior count pulls the level towards 1, the more the fewer have come, and the less years differ.
  const priorCount = noise / estimateGrowth(seasons) ** 2
  const level = (countSoFar + priorCount) / (meanCountSoFar + priorCount)
  const remainingCount = level * (meanCount * laterShare)
  const chanceVariance = noise / Math.max(remainingCount, MIN_REMAINING_COUNT)
  const levelVariance = noise / (meanCountSoFar + priorCount)
  const courseVariance = laterCount === 0 ? 0 : (noise * (1 - laterShare)) / laterCount
  const meanVariance = noise / totalCount
  return { remainingCount, deviation: Math.sqrt(chanceVariance + levelVariance + courseVariance + meanVariance) }
}

/** Estimates by which share a year differs from the one before: as usual, moved by what these years did. */
function estimateGrowth(seasons: readonly SeasonCounts[]): number {
  const finalCounts = seasons.toSorted((a, b) => a.year - b.year).map(readFinalCount)
  const squares = finalCounts.slice(1).map((count, index) => Math.log(count / (finalCounts[index] ?? count)) ** 2)
  return Math.sqrt((sum(squares) + WEIGHT_OF_USUAL * USUAL_GROWTH ** 2) / (squares.length + WEIGHT_OF_USUAL))
}

/** Reads the count by the end of a day, which may be a fraction and lie outside the season. */
function interpolateCount({ cumulative }: SeasonCounts, day: number): number {
  const clamped = Math.min(cumulative.length - 1, Math.max(0, day))
  const countBefore = cumulative[Math.floor(clamped)] ?? 0
  const countAfter = cumulative[Math.ceil(clamped)] ?? 0
  return countBefore + (countAfter - countBefore) * (clamped % 1)
}

/** Estimates the variance that `deviation` does not explain, by forecasting each earlier year from the others. */
function estimateMissVariance(seasons: readonly SeasonCounts[], day: number, deviation: number): number {
  const usualSquares = WEIGHT_OF_USUAL * (deviation ** 2 + USUAL_MISS ** 2)
  const misses = seasons.flatMap((season) => {
    const others = seasons.filter((other) => other !== season)
    if (others.length === 0) return []
    const countSoFar = season.cumulative[day] ?? 0
    const { remainingCount } = estimateRemaining(countSoFar, day, others, CHANCE_NOISE)
    const laterCount = readFinalCount(season) - countSoFar
    return remainingCount < MIN_REMAINING_COUNT || laterCount <= 0 ? 0 : Math.log(laterCount / remainingCount)
  })
  // A forecast from one year fewer misses by more.
  const correction = (1 + 1 / seasons.length) / (1 + 1 / (seasons.length - 1))
  const observedSquares = sum(misses.map((miss) => miss ** 2)) * correction
  return Math.max(0, (observedSquares + usualSquares) / (misses.length + WEIGHT_OF_USUAL) - deviation ** 2)
}

/** Measures how far weeks differ from what the sums of weeks and years suggest (Pearson's dispersion). */
function estimateNoise(current: SeasonCounts, earlier: readonly SeasonCounts[]): number {
  // The first week is left out, because it has all that came earlier.
  const seasons = [current, ...earlier].map(({ cumulative }) => {
    const weekEnds = cumulative.filter((_, day) => (day + 1) % WEEK_DAYS === 0)
    return weekEnds.slice(1).map((count, index) => count - (weekEnds[index] ?? 0))
  })
  const passedWeeks = seasons[0]?.length ?? 0
  const allWeeks = Math.max(...seasons.map(({ length }) => length))
  const passed = measureDispersion(seasons, 0, passedWeeks)
  const remaining = measureDispersion(seasons, passedWeeks, allWeeks)
  const squares = passed.squares + remaining.squares + WEIGHT_OF_USUAL
  return Math.max(CHANCE_NOISE, squares / (passed.freedom + remaining.freedom + WEIGHT_OF_USUAL))
}

/** Adds up the squared differences of weeks, with their degrees of freedom. Only years that have all weeks count. */
function measureDispersion(seasons: readonly (readonly number[])[], from: number, to: number) {
  const years = seasons
    .filter(({ length }) => length >= to)
    .map((weeks) => ({ weeks: weeks.slice(from, to), yearTotal: sum(weeks.slice(from, to)) }))
    .filter(({ yearTotal }) => yearTotal > 0)
  if (years.length < 2 || to - from < 2) return { squares: 0, freedom: 0 }
  const total = sum(years.map(({ yearTotal }) => yearTotal))
  let squares = 0
  for (let week = 0; week < to - from; week++) {
    const weekTotal = sum(years.map(({ weeks }) => weeks[week] ?? 0))
    for (const { weeks, yearTotal } of years) {
      const expected = (yearTotal * weekTotal) / total
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
