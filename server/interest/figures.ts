import 'server-only'
import { type FigureRow, figureRowSchema, type Figures, type FiguresQuery } from '@/lib/contract/tokens'
import { plainCsv } from '@/lib/export/csv'
import type { BoardRow } from '@/lib/interest/board'
import { ROUNDED_TO } from '@/lib/interest/rounding'
import { viewerByToken } from '@/server/access/tokens'
import { allow } from '@/server/access/viewer'
import { interestPage, type PageParts } from './interest'

type FigureParts = PageParts & Parameters<typeof viewerByToken>[0]

const COLUMNS = Object.keys(figureRowSchema.shape) as (keyof FigureRow)[]

/** For programs: a token's, never a session's. Its numbers are the page's of a manager. */
export async function serveFigures(
  parts: FigureParts,
  _nobody: null,
  { cohort, format }: FiguresQuery,
  { request }: { request: Request },
): Promise<Figures | Response> {
  const viewer = allow(await viewerByToken(parts, 'figures', request), 'interest:read')
  const { asOf, cohort: enrollmentYear, board } = await interestPage(parts, viewer, { cohort })
  const schools = board.schools.map(({ school, ...row }): FigureRow => {
    return { asOf, enrollmentYear, highSchoolId: school.id, highSchool: school.name, ...figuresOf(row) }
  })
  const wanted = format ?? (/\btext\/csv\b/i.test(request.headers.get('accept') ?? '') ? 'csv' : 'json')
  if (wanted === 'json') return { asOf, enrollmentYear, roundedTo: ROUNDED_TO, all: figuresOf(board.all), schools }
  const rows = schools.map((row) => COLUMNS.map((name) => row[name]))
  return new Response(plainCsv({ columns: COLUMNS, rows }), { headers: { 'content-type': 'text/csv; charset=utf-8' } })
}

const percent = (share: number | null | undefined) => (share == null ? null : Math.round(share * 100))

function figuresOf({ now, before, beforeInAll, change, forecast, waiting, late, withinGoal }: BoardRow) {
  return {
    declarations: now,
    declarationsLastYear: before,
    declarationsLastYearInAll: beforeInAll,
    changePercent: percent(change),
    forecastLow: forecast?.low ?? null,
    forecastHigh: forecast?.high ?? null,
    questionsWaiting: waiting,
    questionsLate: late,
    withinGoalPercent: percent(withinGoal),
  }
}
