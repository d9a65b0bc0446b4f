import type { useTranslations } from 'next-intl'
import type { CsvTable } from '@/lib/export/csv'
import type { Board } from './board'
import type { BoardRow } from './board-rows'

type BoardPage = { board: Pick<Board, 'total' | 'schools'>; isCurrentCohort: boolean; hasWorkStart: boolean }

/** Lists the figures of every school on the board for a file. Two that share a cell on screen get a column each. */
export function createBoardFigures(page: BoardPage, t: ReturnType<typeof useTranslations<'interest.board'>>): CsvTable {
  const { board, isCurrentCohort, hasWorkStart } = page
  const { total, schools } = board
  const workColumns = isCurrentCohort ? (['waiting', 'late', 'withinGoal'] as const) : []
  const columns = ['school', 'now', 'before', 'change', 'low', 'high', 'ended', ...workColumns] as const
  const toPercent = (share: number | null) => (share === null ? null : Math.round(share * 100))
  const toCells = (school: string, row: BoardRow) => {
    const cells = {
      school,
      now: row.countSoFar,
      before: row.countYearBefore,
      change: toPercent(row.change),
      low: row.forecast?.low ?? null,
      high: row.forecast?.high ?? null,
      ended: row.totalYearBefore,
      waiting: row.waitingCount,
      late: hasWorkStart ? row.lateCount : null,
      withinGoal: toPercent(row.withinGoalShare),
    }
    return columns.map((column) => cells[column])
  }
  const rows = schools.map((row) => toCells(row.school.name, row))
  if (schools.length > 1) rows.unshift(toCells(t('all', { count: schools.length }), total))
  return { columns: columns.map((column) => t(`file.${column}`)), rows }
}
