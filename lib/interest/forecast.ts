/*
 * Where a cohort ends if it goes on like the ones before it did from the same day of the admission year.
 *
 * What is still to come is what came from this day on in earlier years, times how this year stands beside them. Early in
 * the year, when few have come, that ratio leans towards 1. The range holds as often as `LIKELY` says: it comes from how
 * far the same forecast missed the earlier years on the same day, from chance in the counts, and from what would be to
 * come if the rush were some days earlier or later this year, which few earlier years can show.
 */

import type { EarlierSeason, Season } from './seasons'

export type Forecast = {
  low: number
  high: number
  expected: number
  years: readonly number[]
}

/** Below it, the earlier years say nothing of this one. */
const LEAST_IN_A_YEAR = 25
/** How much a year differs from the one before, where nothing is known of it: a fifth. */
const USUAL_GROWTH = 0.2
/** By how much the course of a year differs from others, as a share of what is to come. */
const USUAL_MISS = 0.07
/** By how many days the rush comes earlier or later than in another year: a week of school. */
const USUAL_SHIFT = 5
/** As many misses as what is usual weighs beside the misses that were seen. */
const WEIGHT_OF_USUAL = 4
/** How often the outcome lies in the range. */
export const LIKELY = 0.8
/** As many of a normal distribution lie within so many standard deviations. */
const DEVIATIONS = 1.2816

/**
 * `now`: as far as it has come. `earlier`: of the same school or schools and of nothing else, so that a school has one forecast
 * wherever it is read. Null where no year is there to go by, or nothing more is to come.
 */
export function forecastOf(now: Season, earlier: readonly EarlierSeason[]): Forecast | null {
  const known = earlier.filter((season) => endOf(season) >= LEAST_IN_A_YEAR)
  const place = now.cumulative.length - 1
  if (known.length === 0 || place < 0) return null
  const came = endOf(now)
  const basis = { came, place, known, noise: noiseOf(now, known) }
  const { toCome, deviation } = toComeFrom(basis)
  if (toCome < 0.5) return null
  const spread = DEVIATIONS * Math.sqrt(deviation ** 2 + missesOf(known, place, deviation))
  // By how many days the course of one year runs ahead of the mean of the others, or behind it.
  const days = DEVIATIONS * USUAL_SHIFT * Math.sqrt(1 + 1 / known.length)
  const at = (shift: number) => {
    const moved = Math.log(Math.max(0.5, toComeFrom({ ...basis, place: place + shift }).toCome) / toCome)
    return came + toCome * Math.exp(Math.sign(-shift) * Math.hypot(spread, moved))
  }
  return { low: at(days), expected: came + toCome, high: at(-days), years: known.map(({ year }) => year) }
}

/** How much of what is to come comes by the end of each day from a place on, 0 to 1. */
export function courseFrom(place: number, seasons: readonly EarlierSeason[]): number[] {
  const ofDay = (day: number) => sum(seasons.map(({ cumulative }) => cumulative[day] ?? 0))
  const [now, end] = [ofDay(place), sum(seasons.map(endOf))]
  const days = Math.max(...seasons.map(({ cumulative }) => cumulative.length)) - place
  return Array.from({ length: days }, (_, day) => (day === days - 1 ? 1 : (ofDay(place + day) - now) / (end - now)))
}

type Basis = {
  came: number
  /** Also between two days. */
  place: number
  known: readonly EarlierSeason[]
  /** The variance of a count by its mean: 1 where only chance is at work. */
  noise: number
}

/** What is expected to come, and the standard deviation of its logarithm that chance explains. */
function toComeFrom({ came, place, known, noise }: Basis) {
  const whole = sum(known.map(endOf))
  const after = sum(known.map((season) => endOf(season) - countBy(season, place)))
  const share = after / whole
  const usual = whole / known.length
  const [cameUsually, comesUsually] = [usual * (1 - share), usual * share]
  // How much years differ from the one before: the usual, moved by what was seen.
  const ends = known.toSorted((a, b) => a.year - b.year).map(endOf)
  const steps = ends.slice(1).map((end, index) => Math.log(end / (ends[index] ?? end)) ** 2)
  const growth = Math.sqrt((sum(steps) + WEIGHT_OF_USUAL * USUAL_GROWTH ** 2) / (steps.length + WEIGHT_OF_USUAL))
  // As if so many had come before the first: the fewer come, the more it weighs.
  const prior = noise / growth ** 2
  const level = (came + prior) / (cameUsually + prior)
  const toCome = level * comesUsually
  const ofLevel = noise / (cameUsually + prior)
  const ofCourse = after === 0 ? 0 : (noise * (1 - share)) / after
  const ofUsual = noise / whole
  return { toCome, deviation: Math.sqrt(noise / Math.max(toCome, 0.5) + ofLevel + ofCourse + ofUsual) }
}

function countBy({ cumulative }: Season, place: number): number {
  const last = cumulative.length - 1
  const within = Math.min(last, Math.max(0, place))
  const [before, after] = [cumulative[Math.floor(within)] ?? 0, cumulative[Math.ceil(within)] ?? 0]
  return before + (after - before) * (within % 1)
}

/** What the misses of the same forecast for each earlier year by the others have beyond `deviation`, as a variance. */
function missesOf(known: readonly EarlierSeason[], place: number, deviation: number) {
  const usual = WEIGHT_OF_USUAL * (deviation ** 2 + USUAL_MISS ** 2)
  if (known.length < 2) return Math.max(0, usual / WEIGHT_OF_USUAL - deviation ** 2)
  // How far what came to each season is from its forecast by the others, as a logarithm.
  const misses = known.map((season) => {
    const came = season.cumulative[place] ?? 0
    const others = known.filter(({ year }) => year !== season.year)
    const { toCome } = toComeFrom({ came, place, known: others, noise: 1 })
    const cameLater = endOf(season) - came
    return toCome < 0.5 || cameLater <= 0 ? 0 : Math.log(cameLater / toCome)
  })
  // A forecast from one year fewer misses by more.
  const fewer = (1 + 1 / known.length) / (1 + 1 / (known.length - 1))
  const seen = sum(misses.map((miss) => miss ** 2)) * fewer
  return Math.max(0, (seen + usual) / (misses.length + WEIGHT_OF_USUAL) - deviation ** 2)
}

/** Weeks of this year and earlier ones beside what their sums let expect (Pearson's dispersion); at least chance. */
export function noiseOf(now: Season, earlier: readonly Season[]): number {
  const rows = [now, ...earlier].map(({ cumulative, blur }) => {
    const weeks: number[] = []
    // Without the first, in which all is that came earlier.
    for (let day = 13; day < cumulative.length; day += 7)
      weeks.push((cumulative[day] ?? 0) - (cumulative[day - 7] ?? 0))
    return { weeks, blur }
  })
  const passed = rows[0]?.weeks.length ?? 0
  const last = rows.reduce((max, { weeks: { length } }) => Math.max(max, length), 0)
  const [before, after] = [dispersion(rows, 0, passed), dispersion(rows, passed, last)]
  const squares = before.squares + after.squares + WEIGHT_OF_USUAL
  return Math.max(1, squares / (before.freedom + after.freedom + WEIGHT_OF_USUAL))
}

/** Of the years that have all of these weeks. */
function dispersion(rows: readonly { weeks: readonly number[]; blur: number }[], from: number, to: number) {
  const years = rows
    .filter(({ weeks }) => weeks.length >= to)
    .map(({ weeks, blur }) => ({ weeks: weeks.slice(from, to), blur, ofYear: sum(weeks.slice(from, to)) }))
    .filter(({ ofYear }) => ofYear > 0)
  if (years.length < 2 || to - from < 2) return { squares: 0, freedom: 0 }
  const total = sum(years.map(({ ofYear }) => ofYear))
  let squares = 0
  for (let week = 0; week < to - from; week++) {
    const ofWeek = sum(years.map(({ weeks }) => weeks[week] ?? 0))
    for (const { weeks, blur, ofYear } of years) {
      const expected = (ofYear * ofWeek) / total
      if (expected > 0) squares += (((weeks[week] ?? 0) - expected) ** 2 - blur) / expected
    }
  }
  return { squares, freedom: (years.length - 1) * (to - from - 1) }
}

function endOf({ cumulative }: Season): number {
  return cumulative.at(-1) ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
