import 'server-only'
import type { Locale } from '@/lib/i18n/locale'
import { sizeOf, spreadLabels, ticksTo } from '@/lib/interest/axis'
import { dayZero } from '@/lib/interest/cohort'
import type { figureWords } from '@/lib/interest/figure-words'
import type { InterestPage } from '@/lib/interest/interest-page'
import { monthName } from '@/lib/time/format-date'
import { dayText } from '@/lib/time/stockholm'

/** As it is shown, in px; drawn twice as large, for fine screens. */
export const PICTURE = { width: 600, height: 260 } as const
const FINENESS = 2

const [LEFT, RIGHT, TOP, FLOOR] = [44, PICTURE.width - 126, 12, PICTURE.height - 24]
const LINE_HEIGHT = 15
const GREY = '#55585f'
const TEXT = { position: 'absolute', whiteSpace: 'nowrap', fontSize: 12 * FINENESS } as const
/** They differ by colour, dashes and width, so also on grey paper. The chosen cohort is first. */
const LOOKS = [
  { stroke: '#1f57a8', strokeWidth: 2.75 },
  { stroke: GREY, strokeWidth: 1.75, strokeDasharray: '7 4' },
  { stroke: '#85888f', strokeWidth: 1.75, strokeDasharray: '1.5 4' },
] as const

type Write = ReturnType<typeof figureWords>['write']
type Label = { text: string; x: number; y: number; color?: string; isLeft?: boolean }

/**
 * The page's curves as a PNG on white, because mail programs show no SVG. By Next's own renderer, with its font: nothing
 * is asked of a network as long as the texts are Latin.
 */
export async function curvePicture(page: InterestPage, write: Write, locale: Locale): Promise<Buffer> {
  const { ImageResponse } = await import('next/og')
  const { lines, fan, ticks, labels } = drawingOf(page, write, locale)
  const size = { width: PICTURE.width * FINENESS, height: PICTURE.height * FINENESS }
  const drawn = (
    <div style={{ display: 'flex', width: '100%', height: '100%', background: '#fff', position: 'relative' }}>
      <svg {...size} viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`} style={{ position: 'absolute' }}>
        {ticks.map((y) => (
          <path key={y} d={`M${LEFT} ${y}H${RIGHT}`} stroke={y === FLOOR ? '#b9bbc0' : '#e4e5e8'} />
        ))}
        <path d={fan} fill="#1f57a8" fillOpacity={0.18} />
        {lines.map((d, index) => (
          <path key={d} d={d} fill="none" strokeLinejoin="round" {...(LOOKS[index] ?? LOOKS[2])} />
        ))}
      </svg>
      {labels.map(({ text, x, y, color = GREY, isLeft }) => {
        const place = isLeft ? { right: (PICTURE.width - x) * FINENESS } : { left: x * FINENESS }
        const look = { ...TEXT, ...place, top: (y - 9) * FINENESS, color }
        // With spaces that the font has.
        return (
          <div key={`${text} ${x}`} style={look}>
            {text.replaceAll(/\s/g, ' ')}
          </div>
        )
      })}
    </div>
  )
  return Buffer.from(await new ImageResponse(drawn, size).arrayBuffer())
}

function drawingOf({ board, cohort, cycle }: InterestPage, write: Write, locale: Locale) {
  const { days, today, cohorts, fan } = board.curves
  const [first = 0, last = 1] = [days.at(0), days.at(-1)]
  const values = cohorts.map(({ counts }) => counts.map(sizeOf))
  const ticks = ticksTo(Math.max(0, ...values.map((all) => all.at(-1) ?? 0), fan.at(-1)?.high ?? 0), 5, 5)
  const x = (day: number) => LEFT + ((day - first) / (last - first)) * (RIGHT - LEFT)
  const y = (value: number) => FLOOR - (value / (ticks.at(-1) ?? 1)) * (FLOOR - TOP)
  const pathOf = (points: readonly (readonly [day: number, value: number])[]) =>
    points.map(([day, value], at) => `${at === 0 ? 'M' : 'L'}${x(day).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  // What has come of a week under way stands at today.
  const dayOf = (place: number, isNow: boolean) => Math.min(days[place] ?? last, isNow ? Math.max(today, first) : last)
  const upper = fan.map(({ day, high }) => [day, high] as const)
  const lower = fan.toReversed().map(({ day, low }) => [day, low] as const)
  const zero = dayZero(cohort, cycle)
  const allDays = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const months = allDays.filter((day) => dayText(zero + day).endsWith('-01'))
  const ends = endsOf(board, write)
  const heights = spreadLabels(
    ends.map(({ value }) => y(value)),
    LINE_HEIGHT,
    FLOOR,
  )
  return {
    lines: values.map((all, index) => pathOf(all.map((value, place) => [dayOf(place, index === 0), value]))),
    fan: pathOf([...upper, ...lower]),
    ticks: ticks.map(y),
    labels: [
      ...ticks.map((tick): Label => ({ text: write(tick), x: LEFT - 6, y: y(tick), isLeft: true })),
      ...months.map((day): Label => ({ text: monthName(zero + day, locale), x: x(day) - 10, y: FLOOR + 14 })),
      ...ends.map((end, index): Label => ({ ...end, x: RIGHT + 8, y: heights[index] ?? 0 })),
    ],
  }
}

/** Each year with its end, the chosen one with its forecast. */
function endsOf({ all, curves }: InterestPage['board'], write: Write) {
  return curves.cohorts.map(({ year, counts }, index) => {
    const count = counts.at(-1) ?? 0
    const { low, high } = (index === 0 && all.forecast) || { low: sizeOf(count), high: sizeOf(count) }
    const end = low === high ? write(count) : `${write(low)}–${write(high)}`
    return { text: `${year}: ${end}`, value: (low + high) / 2, ...(index === 0 && { color: LOOKS[0].stroke }) }
  })
}
