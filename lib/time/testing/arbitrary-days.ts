import fc from 'fast-check'
import { DAY_MS } from '@/lib/time/durations'
import { formatIsoDay, parseIsoDay, FIRST_DAY, FIRST_MOMENT, LAST_DAY, LAST_MOMENT } from '@/lib/time/stockholm'

const [FIRST, LAST] = [parseIsoDay(FIRST_DAY), parseIsoDay(LAST_DAY)]

/** Days are mostly at the ends of the calendar or of a rule, or where years get another digit. */
const borders = ['0000-01-01', '0001-01-01', '0100-01-01', '1000-01-01', '1900-01-01', '1997-01-01', '9000-01-01']
const nearBorder = fc
  .tuple(fc.constantFrom(...borders.map(parseIsoDay), LAST), fc.integer({ min: -40, max: 40 }))
  .map(([border, away]) => Math.min(LAST, Math.max(FIRST, border + away)))
export const anyEpochDay = fc.oneof(nearBorder, fc.integer({ min: FIRST, max: LAST }))
export const anyDay = anyEpochDay.map(formatIsoDay)
export const anyMoment = fc.oneof(
  fc.constantFrom(FIRST_MOMENT, LAST_MOMENT),
  fc
    .tuple(anyEpochDay, fc.integer({ min: -DAY_MS, max: DAY_MS }))
    .map(([day, ms]) => Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, day * DAY_MS + ms))),
)
