import { useFormatter, useTranslations } from 'next-intl'
import { useCallback, useState } from 'react'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource } from './chart-card'
import { CurvesPlot, endsWeek, listCalendarSteps, NARROW_WIDTH, useDayFormat } from './curves-plot'

export const CURVES_ID = 'curves'

/** In a narrower box (px) the whole drawing is scaled down, because its texts would not fit. */
const MIN_WIDTH = 240
const WIDTH_BEFORE_MEASURED = 720
/** An A4 sheet has so much room (px) within its margins. */
const SHEET_WIDTH = 700

export function CurvesChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const { curves, total, schools } = page.board
  const { days, cohorts, forecastRange } = curves
  const t = useTranslations('interest.curves')
  const format = useFormatter()
  const { formatDay, formatSpan, formatPoint } = useDayFormat(page)
  const [width, setWidth] = useState(WIDTH_BEFORE_MEASURED)
  // The drawing is as wide as its box, in px at the usual size of text, so that it grows with the user's.
  const measure = useCallback((box: HTMLElement | null) => {
    if (box === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      const textSize = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
      const measured = Math.round((entry?.contentRect.width ?? 0) / textSize)
      if (measured > 0) setWidth(Math.max(MIN_WIDTH, measured))
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const years = cohorts.map(({ year }) => String(year))
  const figures = {
    columns: [t('date'), t('cycleDay'), ...years],
    rows: days.map((day, index) => [formatPoint(day), day, ...cohorts.map(({ counts }) => counts[index] ?? null)]),
  }
  const basis = forecastRange.length > 0 && total.forecast ? total.forecast.years.toSorted((a, b) => b - a) : []
  const basisYears = format.list(basis.map(String), { type: 'conjunction' })
  return (
    <ChartCard
      id={CURVES_ID}
      title={t(forecastRange.length > 0 ? 'title' : 'titleAlone')}
      note={basis.length === 0 ? t('note') : t('basis', { count: basis.length, years: basisYears })}
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      tableFigures={{ ...figures, rows: figures.rows.filter((_, index) => endsWeek(days, index)) }}
      className="h-full"
    >
      <div
        ref={measure}
        role="img"
        className="[&>svg]:h-auto [&>svg]:w-full"
        aria-label={t(page.isRounded ? 'summaryOfWeeks' : 'summary', { years: years.join(', ') })}
      >
        <CurvesPlot page={page} width={width} height={width < NARROW_WIDTH ? 260 : 340} className="print:hidden" />
        {/* On paper the drawing is lower the longer the table of schools is, which prints at most twelve rows. */}
        <CurvesPlot
          page={page}
          width={SHEET_WIDTH}
          height={325 - 14 * Math.min(8, Math.max(0, schools.length - 4))}
          className="hidden print:block"
        />
      </div>
      <ul aria-label={t('calendar')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-2xs text-mute">
        {listCalendarSteps(page).map(({ name, letter, startDay, endDay }) => (
          <li key={name} suppressHydrationWarning>
            {letter !== null && <b className="mr-1 font-semibold text-ink desk:hidden print:hidden">{letter}</b>}
            <span>{t(`step.${name}`)}</span>{' '}
            <span className="tabular text-faint">
              {endDay === null ? formatDay(startDay) : formatSpan(startDay, endDay)}
            </span>
          </li>
        ))}
      </ul>
    </ChartCard>
  )
}
