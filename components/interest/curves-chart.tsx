import { useFormatter, useTranslations } from 'next-intl'
import { useCallback, useState } from 'react'
import { DataTable } from '@/components/ui/data-table'
import type { Count } from '@/lib/contract/interest'
import type { CsvTable } from '@/lib/export/csv'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard } from './chart-card'
import { CurvesPlot } from './curves-plot'
import { endsWeek, listCalendarSteps, useDayFormat } from './cycle-days'
import { useFigureFormat } from './figure-format'

export const CURVES_ID = 'curves'

/** All sizes are in px. In a narrower box the whole drawing is scaled down, because its texts would not fit. */
const MIN_WIDTH = 240
const INITIAL_WIDTH = 720
const SCREEN_HEIGHT = 320
const DEFAULT_FONT_SIZE = 16
/** The width of an A4 sheet within its margins. */
const SHEET_WIDTH = 700
/** On paper each row of the table of schools from the fifth to the twelfth takes 14 px from the drawing. */
const choosePaperHeight = (schoolCount: number) => 325 - 14 * Math.min(8, Math.max(0, schoolCount - 4))

export function CurvesChart({ page, pictureSubtitle }: { page: InterestPage; pictureSubtitle: string }) {
  const { curves, total, schools } = page.board
  const { days, cohorts } = curves
  const t = useTranslations('interest.curves')
  const format = useFormatter()
  const { formatDay, formatSpan, formatPoint } = useDayFormat(page)
  const [measure, width] = useMeasuredWidth()
  const title = t(total.forecast === null ? 'titleAlone' : 'title')
  const years = cohorts.map(({ year }) => String(year))
  const figures = {
    columns: [t('date'), t('cycleDay'), ...years],
    rows: days.map((day, index) => [formatPoint(day), day, ...cohorts.map(({ counts }) => counts[index] ?? null)]),
  }
  const weekRows = figures.rows.filter((_, index) => endsWeek(days, index))
  const basisYears = total.forecast?.years.toSorted((a, b) => b - a).map(String) ?? []
  const basis = { count: basisYears.length, years: format.list(basisYears, { type: 'conjunction' }) }
  return (
    <ChartCard
      id={CURVES_ID}
      title={title}
      note={total.forecast === null ? t('note') : t('basis', basis)}
      fileName={`${t('fileName')}-${page.cohort}-${page.asOf}`}
      figures={figures}
      pictureSubtitle={pictureSubtitle}
      className="h-full"
    >
      <div
        ref={measure}
        role="img"
        className="[&>svg]:h-auto [&>svg]:w-full"
        aria-label={t(page.isRounded ? 'summaryOfWeeks' : 'summary', { years: years.join(', ') })}
      >
        <CurvesPlot page={page} width={width} height={SCREEN_HEIGHT} className="print:hidden" />
        <CurvesPlot
          page={page}
          width={SHEET_WIDTH}
          height={choosePaperHeight(schools.length)}
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
      <FiguresTable title={title} columns={figures.columns} rows={weekRows} />
    </ChartCard>
  )
}

/** Measures a box in the default size of text, so that the drawing in it grows with the user's text. */
function useMeasuredWidth() {
  const [width, setWidth] = useState(INITIAL_WIDTH)
  const measure = useCallback((box: HTMLElement | null) => {
    if (box === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      const fontSize = parseFloat(getComputedStyle(document.documentElement).fontSize)
      const measuredWidth = Math.round(((entry?.contentRect.width ?? 0) / fontSize) * DEFAULT_FONT_SIZE)
      if (measuredWidth > 0) setWidth(Math.max(MIN_WIDTH, measuredWidth))
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return [measure, width] as const
}

function FiguresTable({ title, columns, rows }: CsvTable & { title: string }) {
  const t = useTranslations('interest.chart')
  const { formatFigure } = useFigureFormat()
  const isFigure = (cell: unknown): cell is Count => typeof cell === 'number' || cell === '<5'
  return (
    <details className="mt-auto pt-3 text-sm print:hidden">
      <summary className="w-fit cursor-pointer rounded-sm py-1.5 text-xs text-mute hover:text-ink touch:py-3">
        {t('table')}
      </summary>
      <DataTable
        variant="figures"
        caption={title}
        label={t('tableOf', { title })}
        columns={columns.map((name, column) => ({
          name,
          isNumber: rows.some((row) => isFigure(row[column])),
          cell: ({ [column]: cell }: CsvTable['rows'][number]) => (isFigure(cell) ? formatFigure(cell) : cell),
        }))}
        rows={rows}
        rowKey={(row) => row.join(' ')}
      />
    </details>
  )
}
