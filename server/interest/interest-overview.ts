import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import { NO_YEAR, type LeadTable } from '@/lib/leads/lead-table'
import { requirePermission } from '@/server/access/require-permission'
import { maySee, type Viewer } from '@/server/access/viewer'
import { current } from '@/server/feed/current'
import { services } from '@/server/services'

export type InterestOverview = {
  byYearAndSchool: { highSchoolId: string; year: number | null; declarations: number }[]
  questionsBySchool: { highSchoolId: string; questions: number }[]
  highSchools: HighSchool[]
  snapshot: SnapshotInfo
}

/** Counts per school and enrollment year in the viewer's schools; never a name. Throws NotReadyError without data. */
export async function interestOverview(viewer: Viewer): Promise<InterestOverview> {
  requirePermission(viewer, 'interest:read')
  const { feed } = services()
  const [declarations, questions] = await Promise.all([current(feed.declarations), current(feed.askedQuestions)])
  const highSchools = (feed.highSchools().content?.highSchools ?? []).filter((school) => maySee(viewer, school.id))
  return {
    byYearAndSchool: countByYear(declarations.content.table, viewer),
    questionsBySchool: countBySchool(questions.content.table, viewer),
    highSchools,
    snapshot: declarations.snapshot,
  }
}

function countByYear(table: LeadTable, viewer: Viewer): InterestOverview['byYearAndSchool'] {
  const counts = table.schoolIds.map(() => new Map<number, number>())
  for (let row = 0; row < table.size; row++) {
    const ofSchool = counts[table.school[row] ?? -1]
    const year = table.year[row] ?? NO_YEAR
    ofSchool?.set(year, (ofSchool.get(year) ?? 0) + 1)
  }
  return table.schoolIds.flatMap((highSchoolId, index) =>
    maySee(viewer, highSchoolId)
      ? [...(counts[index] ?? [])].map(([year, count]) => ({
          highSchoolId,
          year: year === NO_YEAR ? null : year,
          declarations: count,
        }))
      : [],
  )
}

function countBySchool(table: LeadTable, viewer: Viewer): InterestOverview['questionsBySchool'] {
  const counts = new Uint32Array(table.schoolIds.length)
  for (const school of table.school.subarray(0, table.size)) counts[school] = (counts[school] ?? 0) + 1
  return table.schoolIds
    .map((highSchoolId, index) => ({ highSchoolId, questions: counts[index] ?? 0 }))
    .filter(({ highSchoolId, questions }) => questions > 0 && maySee(viewer, highSchoolId))
}
