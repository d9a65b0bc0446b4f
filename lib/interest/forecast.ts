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
  const { cumulative } = now
  const place = cumulative.length - 1
  if (known.length === 0 || place < 0) return null
  const came = cumulative[place] ?? 0
  const basis = { came, place, known, noise: noiseOf(now, known) }
  const { toCome, deviation } = toComeFrom(basis)
  if (toCome < 0.5) return null
  const spread = DEVIATIONS * Math.sqrt(deviation ** 2 + missesOf(known, place, deviation))
  const days = DEVIATIONS * shiftOf(known.length)
  const at = (shift: number) => {
    const moved = Math.log(Math.max(0.5, toComeFrom({ ...basis, place: place + shift }).toCome) / toCome)
    return came + toCome * Math.exp(Math.sign(-shift) * Math.hypot(spread, moved))
  }
  return { low: at(days), expected: came + toCome, high: at(-days), years: known.map(({ year }) => year) }
}

/** By how many days the course of one year runs ahead of the mean of `years` others or behind it, as a standard deviation. */
const shiftOf = (years: number) => USUAL_SHIFT * Math.sqrt(1 + 1 / years)

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
  const growth = growthOf(known)
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

/** How much years differ from the one before: the usual, moved by what was seen. */
function growthOf(known: readonly EarlierSeason[]): number {
  const ends = known.toSorted((a, b) => a.year - b.year).map(endOf)
  const seen = ends.slice(1).map((end, index) => Math.log(end / (ends[index] ?? end)) ** 2)
  return Math.sqrt((sum(seen) + WEIGHT_OF_USUAL * USUAL_GROWTH ** 2) / (seen.length + WEIGHT_OF_USUAL))
}

/** What the misses of the same forecast for each earlier year by the others have beyond `deviation`, as a variance. */
function missesOf(known: readonly EarlierSeason[], place: number, deviation: number) {
  const usual = WEIGHT_OF_USUAL * (deviation ** 2 + USUAL_MISS ** 2)
  const misses = known.length < 2 ? [] : known.map((season) => missOf(season, known, place))
  // A forecast from one year fewer misses by more.
  const fewer = (1 + 1 / known.length) / (1 + 1 / (known.length - 1))
  const seen = misses.length === 0 ? 0 : sum(misses.map((miss) => miss ** 2)) * fewer
  return Math.max(0, (seen + usual) / (misses.length + WEIGHT_OF_USUAL) - deviation ** 2)
}

/** How far what came to a season is from its forecast by the others, as a logarithm. */
function missOf(season: EarlierSeason, known: readonly EarlierSeason[], place: number) {
  const others = known.filter(({ year }) => year !== season.year)
  const came = season.cumulative[place] ?? 0
  const { toCome } = toComeFrom({ came, place, known: others, noise: 1 })
  const cameLater = endOf(season) - came
  return toCome < 0.5 || cameLater <= 0 ? 0 : Math.log(cameLater / toCome)
}

/** Weeks of this year and earlier ones beside what their sums let expect (Pearson's dispersion); at least chance. */
export function noiseOf(now: Season, earlier: readonly Season[]): number {
  const rows = [now, ...earlier].map(({ cumulative, blur }) => ({ weeks: byWeek(cumulative), blur }))
  const passed = rows[0]?.weeks.length ?? 0
  const last = rows.reduce((max, { weeks: { length } }) => Math.max(max, length), 0)
  const [before, after] = [dispersion(rows, 0, passed), dispersion(rows, passed, last)]
  const squares = before.squares + after.squares + WEIGHT_OF_USUAL
  return Math.max(1, squares / (before.freedom + after.freedom + WEIGHT_OF_USUAL))
}

/** Of the years that have all of these weeks. */
function dispersion(rows: readonly { weeks: readonly number[]; blur: number }[], from: number, to: number) {
  const ofWeeks = new Float64Array(Math.max(0, to - from))
  const sums: { weeks: readonly number[]; blur: number; ofYear: number }[] = []
  let [total, squares] = [0, 0]
  for (const { weeks, blur } of rows) {
    if (weeks.length < to) continue
    let ofYear = 0
    for (let week = from; week < to; week++) ofYear += weeks[week] ?? 0
    if (ofYear === 0) continue
    for (let week = from; week < to; week++) ofWeeks[week - from] = (ofWeeks[week - from] ?? 0) + (weeks[week] ?? 0)
    sums.push({ weeks, blur, ofYear })
    total += ofYear
  }
  if (sums.length < 2 || to - from < 2) return { squares: 0, freedom: 0 }
  for (const { weeks, blur, ofYear } of sums) {
    for (let week = from; week < to; week++) {
      const expected = (ofYear * (ofWeeks[week - from] ?? 0)) / total
      if (expected > 0) squares += (((weeks[week] ?? 0) - expected) ** 2 - blur) / expected
    }
  }
  return { squares, freedom: (sums.length - 1) * (to - from - 1) }
}

/** Without the first, in which all is that came earlier. */
function byWeek(cumulative: readonly number[]): number[] {
  const counts: number[] = []
  for (let day = 13; day < cumulative.length; day += 7) counts.push((cumulative[day] ?? 0) - (cumulative[day - 7] ?? 0))
  return counts
}

function endOf({ cumulative }: Season): number {
  return cumulative.at(-1) ?? 0
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
