import { describe, expect, it } from 'vitest'
import { epochDay } from '@/lib/time/stockholm'
import { shownWeeks } from './week-counts'

const today = epochDay('2026-11-21')
const open = { from: -Infinity, to: Infinity }
const none = { declarations: 0, questions: 0 }
const counts = [
  { week: '2026-W44', declarations: 3, questions: 1 },
  { week: '2026-W46', declarations: 2, questions: 0 },
]

describe('the weeks on the chart', () => {
  it('are the last year up to this week, those without anything too', () => {
    const weeks = shownWeeks(counts, none, open, today)
    expect(weeks).toHaveLength(53)
    expect([weeks.at(0)?.week, weeks.at(-1)?.week]).toEqual(['2025-W47', '2026-W47'])
    expect(weeks.slice(-4).map(({ declarations }) => declarations)).toEqual([3, 0, 2, 0])
  })

  it('are those of the period', () => {
    const weeks = shownWeeks(counts, none, { from: epochDay('2026-11-04'), to: epochDay('2026-11-15') }, today)
    expect(weeks.map(({ week }) => week)).toEqual(['2026-W45', '2026-W46'])
    expect(shownWeeks(counts, none, { from: -Infinity, to: epochDay('2026-11-15') }, today)).toHaveLength(3)
  })

  it('are none before anything came, and never more than can be drawn', () => {
    expect(shownWeeks([], none, { from: epochDay('2027-01-01'), to: Infinity }, today)).toEqual([])
    expect(shownWeeks(counts, none, { from: epochDay('1900-01-01'), to: Infinity }, today)).toHaveLength(522)
  })
})
